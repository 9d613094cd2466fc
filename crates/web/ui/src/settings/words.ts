export const en = {
  'settings.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'settings.soon': 'Эта комната ещё обставляется.',
};
