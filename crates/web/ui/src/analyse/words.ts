export const en = {
  'analyse.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'analyse.soon': 'Эта комната ещё обставляется.',
};
