export const en = {
  'play.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'play.soon': 'Эта комната ещё обставляется.',
};
