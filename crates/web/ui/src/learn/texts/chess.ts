import type { Lesson } from '../lesson.ts';

export const chess: Lesson = {
  game: 'chess',
  lead: {
    en: 'Two armies on 64 squares. White moves first, then the players take turns. Who attacks the enemy King so that it cannot escape has won.',
    ru: 'Две армии на 64 полях. Первыми ходят белые, затем соперники ходят по очереди. Кто нападёт на короля так, что спасения нет, тот выиграл.',
  },
  sections: [
    {
      title: { en: 'How the pieces move', ru: 'Как ходят фигуры' },
      text: [
        {
          en: '- The Rook goes any distance along a rank or a file, the Bishop along a diagonal, the Queen like either of them. None of them jumps over anything.',
          ru: '- Ладья ходит на любое число полей по горизонтали и вертикали, слон — по диагонали, ферзь — как ладья или слон. Перепрыгивать они не могут.',
        },
        {
          en: '- The Knight leaps two squares straight and one to the side, whatever stands between.',
          ru: '- Конь прыгает на два поля прямо и одно вбок, что бы ни стояло на пути.',
        },
        {
          en: '- The King goes one square in any direction, never to a square that the enemy attacks.',
          ru: '- Король ходит на одно поле в любую сторону, но не на поле, которое бьёт соперник.',
        },
        {
          en: '- The Pawn goes one square forward, from its first square also two if both are empty. It captures one square diagonally forward.',
          ru: '- Пешка ходит на одно поле вперёд, а с начального поля может и на два, если оба свободны. Бьёт она на одно поле вперёд по диагонали.',
        },
        {
          en: 'A piece captures by going to the square of an enemy piece, which leaves the board. Own pieces block the way.',
          ru: 'Фигура бьёт, становясь на поле чужой фигуры, а та снимается с доски. Свои фигуры загораживают путь.',
        },
      ],
      exercise: {
        start: { rules: '', position: '' },
        task: { en: 'The start position. Move for both sides as you like.', ru: 'Начальная позиция. Ходите за обе стороны, как хотите.' },
        aim: { aim: 'free' },
      },
    },
    {
      title: { en: 'Check and mate', ru: 'Шах и мат' },
      text: [
        {
          en: 'A King that is attacked is in check. The next move must end the check: the King steps away, something comes between, or the attacker is captured. If nothing helps it is checkmate, and the game is over.',
          ru: 'Если король под боем, это шах. Следующим ходом от шаха надо защититься: уйти королём, закрыться или взять нападающую фигуру. Если ничего не помогает, это мат, и партия окончена.',
        },
      ],
      exercise: {
        start: { rules: '', position: '6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1' },
        task: { en: 'White mates in one move.', ru: 'Белые дают мат в один ход.' },
        aim: { aim: 'win' },
        solution: 'e1e8',
      },
    },
    {
      title: { en: 'Castling', ru: 'Рокировка' },
      text: [
        {
          en: 'Once in a game King and Rook may move together: the King goes two squares towards the Rook, the Rook to the other side of the King. Both must not have moved before, the squares between them must be empty, and the King may not stand in check, pass over an attacked square or arrive on one.',
          ru: 'Один раз за партию король и ладья могут пойти вместе: король переходит на два поля к ладье, а ладья встаёт по другую сторону от него. Обе фигуры ещё не ходили, между ними пусто, король не под шахом, не проходит через битое поле и не становится на него.',
        },
      ],
      exercise: {
        start: { rules: '', position: 'r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R w KQkq - 0 1' },
        task: { en: 'Castle, to whichever side you like.', ru: 'Сделайте рокировку в любую сторону.' },
        aim: { aim: 'moves', moves: ['e1g1', 'e1c1'] },
        solution: 'e1g1',
      },
    },
    {
      title: { en: 'En passant', ru: 'Взятие на проходе' },
      text: [
        {
          en: 'When a Pawn goes two squares and passes a square that an enemy Pawn attacks, that Pawn may capture it on the next move as if it had gone only one.',
          ru: 'Если пешка пошла на два поля через поле, которое бьёт чужая пешка, та может следующим же ходом взять её так, будто она пошла на одно.',
        },
      ],
      exercise: {
        start: { rules: '', position: '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2' },
        task: { en: 'Black has just played d7–d5. Capture in passing.', ru: 'Чёрные только что пошли d7–d5. Возьмите на проходе.' },
        aim: { aim: 'moves', moves: ['e5d6'] },
        solution: 'e5d6',
      },
    },
    {
      title: { en: 'Promotion', ru: 'Превращение' },
      text: [
        {
          en: 'A Pawn that reaches the last rank becomes a Queen, Rook, Bishop or Knight at once, as its owner chooses.',
          ru: 'Пешка, дошедшая до последней горизонтали, тут же превращается в ферзя, ладью, слона или коня по выбору игрока.',
        },
      ],
      exercise: {
        start: { rules: '', position: '8/P6k/7p/8/8/8/6K1/8 w - - 0 1' },
        task: { en: 'Promote the Pawn to whatever you like.', ru: 'Превратите пешку в какую угодно фигуру.' },
        aim: { aim: 'moves', moves: ['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'] },
        solution: 'a7a8q',
      },
    },
    {
      title: { en: 'Draws', ru: 'Ничья' },
      text: [
        { en: '- Stalemate: the side to move is not in check and has no legal move.', ru: '- Пат: шаха нет, но и ходов нет.' },
        { en: '- Neither side can mate any more, whatever is played.', ru: '- Мат уже невозможен, что бы ни играли.' },
        {
          en: '- The same position for the third time, or fifty moves each without a capture or a Pawn move: a player may claim the draw. At the fifth time, or after seventy-five moves, it is a draw by itself.',
          ru: '- Одна и та же позиция в третий раз или по пятьдесят ходов без взятий и ходов пешками: игрок вправе потребовать ничью. В пятый раз или после семидесяти пяти ходов ничья наступает сама.',
        },
        { en: '- Both players agree.', ru: '- Соперники согласились на ничью.' },
      ],
      exercise: {
        start: { rules: '', position: '7k/5K2/8/6Q1/8/8/8/8 w - - 0 1' },
        task: {
          en: 'Mate in one. Take care: the Queen on g6 would be stalemate.',
          ru: 'Мат в один ход. Осторожно: ферзь на g6 — это пат.',
        },
        aim: { aim: 'win' },
        solution: 'g5g7',
      },
    },
    {
      title: { en: 'Chess960', ru: 'Шахматы 960' },
      text: [
        {
          en: 'The pieces behind the Pawns are shuffled, alike for both sides: the Bishops on squares of different colours, the King between the Rooks. There are 960 such starts, numbered from 0 to 959; 518 is the usual one. After castling King and Rook stand where they would stand in ordinary chess. To castle here, take the King to its own Rook.',
          ru: 'Фигуры за пешками переставлены, одинаково у обеих сторон: слоны на полях разного цвета, король между ладьями. Таких начал 960, от номера 0 до 959; номер 518 — обычное. После рокировки король и ладья стоят там же, где в обычных шахматах. Чтобы рокировать, перенесите короля на свою ладью.',
        },
      ],
    },
  ],
};
