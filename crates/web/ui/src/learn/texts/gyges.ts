import type { Lesson } from '../lesson.ts';

export const gyges: Lesson = {
  game: 'gyges',
  lead: {
    en: 'Twelve pieces that belong to nobody, six by six squares, and a goal behind each side. Bring any piece into the goal behind your opponent and you have won.',
    ru: 'Двенадцать ничьих фишек, поле шесть на шесть и ворота за каждой стороной. Введите любую фишку в ворота за соперником, и вы выиграли.',
  },
  sections: [
    {
      title: { en: 'Set-up', ru: 'Расстановка' },
      text: [
        {
          en: 'There are four pieces each with one, two and three rings. South puts two of each kind on its home row in any order, then North, who sees South’s row, does the same. South begins.',
          ru: 'Фишек с одним, двумя и тремя кольцами по четыре. Юг ставит по две каждого вида на свой ближний ряд в любом порядке, затем Север, видя его ряд, делает то же. Начинает Юг.',
        },
      ],
    },
    {
      title: { en: 'Which piece may move', ru: 'Какая фишка ходит' },
      text: [
        {
          en: 'You move a piece of your active row: the row nearest to you on which anything stands, whoever put it there.',
          ru: 'Ходить можно фишкой из своего активного ряда: ближайшего к вам ряда, где что-нибудь стоит, кто бы это туда ни поставил.',
        },
      ],
    },
    {
      title: { en: 'Walking', ru: 'Движение' },
      text: [
        {
          en: 'A piece goes exactly as many single steps as it has rings: forwards, sideways or backwards, with turns, never diagonally. All squares on the way must be empty; only the last step may end on a piece. The square it came from counts as empty.',
          ru: 'Фишка делает ровно столько шагов, сколько у неё колец: вперёд, вбок или назад, с поворотами, но не по диагонали. Поля на пути должны быть пусты; только последним шагом можно встать на фишку. Поле, с которого она ушла, считается пустым.',
        },
        {
          en: 'The step into the goal goes from any square of the opponent’s home row and must be the last one: the count must be exact.',
          ru: 'В ворота шагают с любого поля ближнего ряда соперника, и это должен быть последний шаг: счёт должен сойтись точно.',
        },
      ],
      exercise: {
        start: { rules: '', position: '000000/000000/000000/030010/203312/301122' },
        task: { en: 'South wins at once: three steps with the three on b4.', ru: 'Юг выигрывает сразу: три шага тройкой с b4.' },
        aim: { aim: 'win' },
        solution: '19|37',
      },
    },
    {
      title: { en: 'Bouncing', ru: 'Отскок' },
      text: [
        {
          en: 'If the last step ends on a piece, yours may bounce: it goes on by as many steps as that piece has rings. Bounces can follow each other as long as you like. But in one move no border between two squares may be crossed twice, in either direction.',
          ru: 'Если последний шаг пришёлся на фишку, ваша может отскочить: она идёт дальше на столько шагов, сколько колец у той. Отскоков подряд может быть сколько угодно. Но за один ход границу между двумя полями нельзя пересечь дважды, ни в одну, ни в другую сторону.',
        },
      ],
      exercise: {
        start: { rules: '', position: '001000/103020/000001/300000/002000/120332' },
        task: { en: 'South wins with two bounces.', ru: 'Юг выигрывает двумя отскоками.' },
        aim: { aim: 'win' },
        solution: '2|37',
      },
    },
    {
      title: { en: 'Replacing', ru: 'Замена' },
      text: [
        {
          en: 'Instead of bouncing your piece may stay: the piece that stood there is then put on any empty square, but not behind the opponent’s active row and not into a goal. The square your piece came from will do as well.',
          ru: 'Вместо отскока ваша фишка может остаться: ту, что там стояла, ставят на любое свободное поле, только не позади активного ряда соперника и не в ворота. Годится и поле, с которого ваша фишка ушла.',
        },
      ],
      exercise: {
        start: { rules: '', position: '' },
        task: { en: 'Make a move that replaces a piece.', ru: 'Сделайте ход с заменой фишки.' },
        aim: { aim: 'drop' },
        solution: '0|1|9',
      },
    },
    {
      title: { en: 'How it ends', ru: 'Чем кончается' },
      text: [
        { en: '- A piece in the opponent’s goal wins at once. Your own goal is closed to you.', ru: '- Фишка в воротах соперника выигрывает сразу. В свои ворота войти нельзя.' },
        { en: '- A move must change the board.', ru: '- Ход должен что-то изменить на доске.' },
        {
          en: '- A draw: the side to move has no legal move, or the same position comes for the third time. The old rules say nothing about repetition; this one makes sure that games end.',
          ru: '- Ничья: ходов нет или одна и та же позиция встретилась в третий раз. Старые правила о повторении молчат; это правило нужно, чтобы партии кончались.',
        },
      ],
      exercise: {
        start: { rules: '', position: '' },
        task: { en: 'A usual start. Move for both sides as you like.', ru: 'Обычное начало. Ходите за обе стороны, как хотите.' },
        aim: { aim: 'free' },
      },
    },
  ],
};
