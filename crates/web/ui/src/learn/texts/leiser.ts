import type { Lesson } from '../lesson.ts';

export const leiser: Lesson = {
  game: 'leiser',
  lead: {
    en: 'Laser chess. Each side has one King that carries a laser and seven Pawns that are mirrors. After every move the mover’s own laser fires. Whose King is struck has lost. These are the rules of 2016, the usual ones.',
    ru: 'Лазерные шахматы. У каждой стороны король с лазером и семь пешек-зеркал. После каждого хода стреляет лазер того, кто ходил. Чей король поражён, тот проиграл. Здесь правила 2016 года, обычные.',
  },
  sections: [
    {
      title: { en: 'A turn', ru: 'Ход' },
      text: [
        {
          en: 'White, the tangerine side, begins. First one of your pieces moves, then your King fires. Firing is compulsory, even when it hurts you.',
          ru: 'Начинают белые, мандариновые. Сначала ходит одна ваша фигура, затем стреляет ваш король. Стрелять обязательно, даже себе во вред.',
        },
        { en: '- Step: to one of the eight neighbouring squares, without turning.', ru: '- Шаг: на одно из восьми соседних полей, без поворота.' },
        { en: '- Turn: in place, right (R), left (L) or by a half (U).', ru: '- Поворот: на месте, вправо (R), влево (L) или кругом (U).' },
        { en: '- The King may also stay as it is and only fire, if that zaps something.', ru: '- Король может и остаться как есть и только выстрелить, если при этом что-то поражает.' },
        { en: 'A piece never steps and turns in the same move.', ru: 'Шагнуть и повернуться одним ходом нельзя.' },
      ],
      exercise: {
        start: { rules: '', position: '' },
        task: { en: 'The start position. Move for both sides and watch the beams.', ru: 'Начальная позиция. Ходите за обе стороны и следите за лучами.' },
        aim: { aim: 'free' },
      },
    },
    {
      title: { en: 'The beam', ru: 'Луч' },
      text: [
        {
          en: 'The beam leaves the King in the direction it faces and goes straight on. The bright long side of a Pawn is a mirror: the beam turns by a right angle there, whoever owns the Pawn. From the back a Pawn does not reflect: it is zapped and leaves the board.',
          ru: 'Луч выходит из короля туда, куда тот смотрит, и идёт прямо. Светлая длинная сторона пешки — зеркало: луч поворачивает там под прямым углом, чья бы ни была пешка. С тыла пешка не отражает: она поражена и снимается с доски.',
        },
        {
          en: 'After a Pawn is zapped the laser fires again, until the beam leaves the board or strikes a King. So several pieces can go at once, your own among them.',
          ru: 'После поражённой пешки лазер стреляет ещё раз, пока луч не уйдёт с доски или не попадёт в короля. Так за раз могут пропасть несколько фигур, и свои тоже.',
        },
      ],
      exercise: {
        start: { rules: '', position: '7ww/8/8/8/8/8/8/EE6SW W' },
        task: { en: 'Turn the Pawn on h0 so that the beam strikes Black’s King.', ru: 'Поверните пешку на h0 так, чтобы луч попал в чёрного короля.' },
        aim: { aim: 'win' },
        solution: 'h0R',
      },
    },
    {
      title: { en: 'Zapping Pawns', ru: 'Поражение пешек' },
      text: [
        {
          en: 'A step can bring a mirror into the beam and send it where it was not before.',
          ru: 'Шагом можно ввести зеркало в луч и направить его туда, где его не было.',
        },
      ],
      exercise: {
        start: { rules: '', position: '7ww/8/8/1SE3ne2/8/8/8/NN7 W' },
        task: { en: 'Zap the Pawn on f4 with one step.', ru: 'Одним шагом поразите пешку на f4.' },
        aim: { aim: 'moves', moves: ['b4a4'] },
        solution: 'b4a4',
      },
    },
    {
      title: { en: 'Swapping', ru: 'Обмен местами' },
      text: [
        {
          en: 'If a piece steps onto an occupied square the two trade places, and both keep facing as they did. That works with own and with enemy pieces, even with a King.',
          ru: 'Если фигура шагает на занятое поле, обе меняются местами и смотрят, куда смотрели. Так можно меняться со своими и с чужими фигурами, даже с королём.',
        },
      ],
      exercise: {
        start: { rules: '', position: '8/1nn6/SW7/8/8/8/8/NN7 W' },
        task: { en: 'Swap so that Black’s King comes into your beam.', ru: 'Поменяйтесь местами так, чтобы чёрный король попал под ваш луч.' },
        aim: { aim: 'win' },
        solution: 'a5b6',
      },
    },
    {
      title: { en: 'Pins', ru: 'Связка' },
      text: [
        {
          en: 'A Pawn that the enemy’s beam touches before your move, on the mirror or behind, is pinned: it may neither step nor turn. A King is never pinned, and a pinned Pawn can still be swapped by another piece.',
          ru: 'Пешка, которой перед вашим ходом касается луч соперника, зеркалом или тылом, связана: она не может ни шагнуть, ни повернуться. Король не бывает связан, а связанную пешку может сменить другая фигура.',
        },
      ],
    },
    {
      title: { en: 'Ko', ru: 'Ко' },
      text: [
        {
          en: 'After moving and firing the board may not be as it was before your move, nor as it was before the opponent’s last move.',
          ru: 'После хода и выстрела доска не должна стать такой, какой была до вашего хода, и такой, какой была до последнего хода соперника.',
        },
      ],
    },
    {
      title: { en: 'How it ends', ru: 'Чем кончается' },
      text: [
        {
          en: '- A King that is struck loses the game for its owner, also when the own laser did it.',
          ru: '- Чей король поражён, тот проиграл, даже если собственным лазером.',
        },
        {
          en: '- A draw: the same position for the third time, or fifty moves each without a Pawn zapped.',
          ru: '- Ничья: одна и та же позиция в третий раз или по пятьдесят ходов без поражённых пешек.',
        },
        {
          en: 'A side can always turn its King, so there is no stalemate.',
          ru: 'Повернуть короля можно всегда, поэтому пата нет.',
        },
      ],
    },
    {
      title: { en: 'Other years', ru: 'Другие годы' },
      text: [
        { en: '- 2012 and 2013: one zap a turn, no pins; 2012 on 10×10.', ru: '- 2012 и 2013: одно поражение за ход, связок нет; в 2012 доска 10×10.' },
        { en: '- 2014 and 2015: no swaps, a Pawn stomps an enemy Pawn; 2015 on 10×10, with pins.', ru: '- 2014 и 2015: обмена нет, пешка топчет чужую пешку; в 2015 доска 10×10 и связки.' },
        { en: '- 2018: only enemy pieces can be swapped, and the piece that moved must then step or turn once more.', ru: '- 2018: меняться можно только с чужими, и фигура, которая ходила, должна ещё раз шагнуть или повернуться.' },
      ],
    },
  ],
};
