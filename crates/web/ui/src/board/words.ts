export const en = {
  'board.label': 'Board',
};

export const ru: Record<keyof typeof en, string> = {
  'board.label': 'Доска',
};
