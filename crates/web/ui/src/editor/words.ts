export const en = {
  'editor.soon': 'This room is being furnished.',
};

export const ru: Record<keyof typeof en, string> = {
  'editor.soon': 'Эта комната ещё обставляется.',
};
