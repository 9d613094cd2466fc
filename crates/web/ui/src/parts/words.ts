export const en = {
  'parts.notices': 'Notices',
};

export const ru: Record<keyof typeof en, string> = {
  'parts.notices': 'Сообщения',
};
