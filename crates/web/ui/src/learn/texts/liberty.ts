import type { Lesson } from '../lesson.ts';

export const liberty: Lesson = {
  game: 'liberty',
  lead: {
    en: 'Chess with eighteen kinds of pieces on boards from 2×2 to 256×256. Which pieces stand where, how far Pawns run and what they become is part of each start position.',
    ru: 'Шахматы с восемнадцатью видами фигур на досках от 2×2 до 256×256. Расстановка, длина хода пешек и фигуры для превращения — часть начальной позиции.',
  },
  sections: [
    {
      title: { en: 'The pieces you know', ru: 'Знакомые фигуры' },
      text: [
        {
          en: 'Pawn, Knight, Bishop, Rook, Queen and King move as in chess. Any number of Kings may stand on the board: all of them are royal, and none may be left in check. A side without a King cannot be mated; it loses when it has nothing left.',
          ru: 'Пешка, конь, слон, ладья, ферзь и король ходят как в шахматах. Королей может быть сколько угодно: беречь надо каждого, ни один не должен остаться под шахом. Стороне без короля мат не поставить; она проигрывает, когда у неё ничего не осталось.',
        },
      ],
    },
    {
      title: { en: 'The new pieces', ru: 'Новые фигуры' },
      text: [
        { en: '- Archbishop (A): Bishop or Knight. Chancellor (C): Rook or Knight. Amazon (M): Queen or Knight.', ru: '- Архиепископ (A): слон или конь. Канцлер (C): ладья или конь. Амазонка (M): ферзь или конь.' },
        { en: '- Mann (X): one square in any direction, like a King that may be captured. Centaur (U): Mann or Knight.', ru: '- Воин (X): на одно поле в любую сторону, как король, которого можно взять. Кентавр (U): воин или конь.' },
        { en: '- Camel (L): leaps three straight and one to the side. Zebra (Z): three and two.', ru: '- Верблюд (L): прыгает на три поля прямо и одно вбок. Зебра (Z): на три и два.' },
        { en: '- Nightrider (I): repeats one Knight leap in the same direction as long as the squares it lands on are empty.', ru: '- Всадник (I): повторяет прыжок коня в одном направлении, пока поля, на которые он опускается, свободны.' },
        { en: '- Champion (H): leaps to every neighbouring square and to the squares exactly two away, straight or diagonally.', ru: '- Чемпион (H): прыгает на любое соседнее поле и ровно через одно поле, прямо или по диагонали.' },
        { en: '- Elephant (E): steps like a Mann, but is strong (see below).', ru: '- Элефант (E): ходит как воин, но силён (см. ниже).' },
        { en: '- Obstacle (O) and Wall (W): go to any empty square of the board and never capture.', ru: '- Препятствие (O) и стена (W): переносятся на любое свободное поле доски и никогда не бьют.' },
      ],
      exercise: {
        start: { rules: '', position: '6k1/6pp/8/8/6q1/8/6PP/I3K3 w - - 0 1' },
        task: { en: 'The Nightrider on a1 can capture the Queen.', ru: 'Всадник с a1 может взять ферзя.' },
        aim: { aim: 'moves', moves: ['a1g4'] },
        solution: 'a1g4',
      },
    },
    {
      title: { en: 'Who may capture whom', ru: 'Кто кого может взять' },
      text: [
        {
          en: 'Elephants and Walls are protected: only Pawns, Kings and Elephants can capture them. Everything else, Obstacles too, can be captured by every piece but Obstacles and Walls. A King is never captured.',
          ru: 'Элефанты и стены защищены: взять их могут только пешки, короли и элефанты. Всё остальное, и препятствия тоже, может взять любая фигура, кроме препятствий и стен. Короля взять нельзя.',
        },
      ],
      exercise: {
        start: { rules: '', position: '6k1/8/8/3e4/4P3/2N5/8/3RK3 w - - 0 1' },
        task: { en: 'Capture the Elephant on d5. Only one piece can.', ru: 'Возьмите элефанта на d5. Это может лишь одна фигура.' },
        aim: { aim: 'moves', moves: ['e4d5'] },
        solution: 'e4d5',
      },
    },
    {
      title: { en: 'Obstacles and Walls', ru: 'Препятствия и стены' },
      text: [
        {
          en: 'They neither attack nor give check, but they stand in the way: of the enemy and of you.',
          ru: 'Они не нападают и не дают шаха, зато загораживают путь: и сопернику, и вам.',
        },
      ],
      exercise: {
        start: { rules: '', position: '4r1k1/8/8/8/8/8/8/O3K3 w - - 0 1' },
        task: { en: 'White is in check. Shield the King with the Obstacle.', ru: 'Белым шах. Заслоните короля препятствием.' },
        aim: { aim: 'moves', moves: ['a1e2', 'a1e3', 'a1e4', 'a1e5', 'a1e6', 'a1e7'] },
        solution: 'a1e2',
      },
    },
    {
      title: { en: 'Pawns', ru: 'Пешки' },
      text: [
        {
          en: 'A start position says how far a Pawn may run at once (usually two squares) and up to which of its ranks (usually the second). It is not the first move that counts but the rank. After a run of two or more squares an enemy Pawn may capture it on any square it passed, on the very next move.',
          ru: 'В начальной позиции указано, на сколько полей сразу может пойти пешка (обычно на два) и до какой своей горизонтали (обычно до второй). Важна именно горизонталь, а не первый ли это ход. После хода на два поля и больше чужая пешка может следующим же ходом взять её на любом из пройденных полей.',
        },
        {
          en: 'On the last rank it becomes one of the pieces that the start position lists; even a King can be among them.',
          ru: 'На последней горизонтали она превращается в одну из фигур, перечисленных в начальной позиции; среди них может быть и король.',
        },
      ],
    },
    {
      title: { en: 'El Vaticano', ru: 'Ватикан' },
      text: [
        {
          en: 'Two Bishops of one side with exactly one enemy piece between them on a rank or file may take it away, and neither Bishop moves. Kings, Elephants and Walls cannot be taken so. The move is made by taking one Bishop to the other. It never gives check by itself.',
          ru: 'Если между двумя слонами одной стороны на горизонтали или вертикали стоит ровно одна чужая фигура, её можно снять, и слоны остаются на месте. Королей, элефантов и стены так взять нельзя. Ход делается переносом одного слона на другого. Сам по себе он шаха не даёт.',
        },
      ],
      exercise: {
        start: { rules: '', position: '4k3/8/8/8/2BpB3/8/P7/4K3 w - - 0 1' },
        task: { en: 'Take away the Pawn between the Bishops.', ru: 'Снимите пешку между слонами.' },
        aim: { aim: 'moves', moves: ['c4e4', 'e4c4'] },
        solution: 'c4e4',
      },
    },
    {
      title: { en: 'Castling and friendly fire', ru: 'Рокировка и огонь по своим' },
      text: [
        {
          en: 'Castling is as in chess, the King always two files to the side; the other piece need not be a Rook. Some positions allow friendly fire: own pieces, but never an own King, can be captured like enemy ones.',
          ru: 'Рокировка как в шахматах, король всегда переходит на две вертикали; вторая фигура не обязательно ладья. В некоторых позициях разрешён огонь по своим: свои фигуры, кроме короля, можно брать, как чужие.',
        },
      ],
    },
    {
      title: { en: 'How it ends', ru: 'Чем кончается' },
      text: [
        {
          en: '- Checkmate wins; a side without Kings that has nothing left loses.',
          ru: '- Мат выигрывает; сторона без королей, у которой ничего не осталось, проигрывает.',
        },
        {
          en: '- Draws, all without a claim: stalemate, too little material to mate, the third repetition, fifty moves each without a capture or a Pawn move.',
          ru: '- Ничья, всегда без требования: пат, мало фигур для мата, третье повторение, по пятьдесят ходов без взятий и ходов пешками.',
        },
      ],
      exercise: {
        start: { rules: '', position: 'Mini chess' },
        task: { en: 'Mini chess, 5×6. Move for both sides as you like.', ru: 'Мини-шахматы, 5×6. Ходите за обе стороны, как хотите.' },
        aim: { aim: 'free' },
      },
    },
  ],
};
