export const en = {
  'library.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'library.soon': 'Эта комната ещё обставляется.',
};
