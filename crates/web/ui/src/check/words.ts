/** Words of the Check room, which is not furnished yet. */
export const en = {
  'check.title': 'Check',
  'check.not-yet': 'Here engines will be examined for what they do against the protocol: which sentence, with an example. It is not built yet.',
  'check.meanwhile': 'Meanwhile the log of each engine shows every line, and the engine’s page lists what was noticed while it played.',
  'check.engines': 'To the engines',
};

export const ru: Record<keyof typeof en, string> = {
  'check.title': 'Проверка',
  'check.not-yet': 'Здесь движки будут проверяться на соблюдение протокола: какое правило нарушено и пример. Этого пока нет.',
  'check.meanwhile': 'А пока в журнале каждого движка видна каждая строка, и на его странице перечислено, что было замечено во время игры.',
  'check.engines': 'К движкам',
};
