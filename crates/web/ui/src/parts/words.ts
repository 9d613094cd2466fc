export const en = {
  'parts.notices': 'Notices',
};
