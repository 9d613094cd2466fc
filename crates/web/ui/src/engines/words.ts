export const en = {
  'engines.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'engines.soon': 'Эта комната ещё обставляется.',
};
