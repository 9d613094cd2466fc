export const en = {
  'check.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'check.soon': 'Эта комната ещё обставляется.',
};
