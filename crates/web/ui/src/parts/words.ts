export const en = {
  'parts.menu': 'Menu',
  'parts.notices': 'Notices',
};

export const ru: Record<keyof typeof en, string> = {
  'parts.menu': 'Меню',
  'parts.notices': 'Сообщения',
};
