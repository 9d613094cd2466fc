export const en = {
  'home.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'home.soon': 'Эта комната ещё обставляется.',
};
