export const en = {
  'learn.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'learn.soon': 'Эта комната ещё обставляется.',
};
