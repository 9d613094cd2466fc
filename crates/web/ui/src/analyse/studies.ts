import type { Game, StudyInfo } from '../lib/wire.ts';
import { t } from '../lib/words.svelte.ts';

/** What an analysis is called in a list; the number tells apart those that have no name. */
export function studyName(study: Pick<StudyInfo, 'id' | 'title'>): string {
  return study.title || `${t('analyse.untitled')} #${study.id}`;
}

/** Those that have all the words in name, game or number, the last changed first. */
export function found(studies: StudyInfo[], text: string, game: Game | ''): StudyInfo[] {
  const wanted = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = (study: StudyInfo): boolean => {
    const words = `${studyName(study)} ${t(`game.${study.game}`)} #${study.id}`.toLocaleLowerCase();
    return (game === '' || study.game === game) && wanted.every((word) => words.includes(word));
  };
  return studies.filter(fits).toSorted((a, b) => b.changed - a.changed);
}
