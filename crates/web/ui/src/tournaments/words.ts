export const en = {
  'tournaments.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'tournaments.soon': 'Эта комната ещё обставляется.',
};
