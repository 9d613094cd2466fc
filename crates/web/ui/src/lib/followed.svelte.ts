/** A topic as a reactive value: followed while the component that asked is there. */
import { untrack } from 'svelte';
import { follow } from './wire.ts';
import type { News, Topic } from './wire.ts';

type Kind = Exclude<News['news'], 'gone'>;
type Of<K extends Kind> = Extract<News, { news: K }> extends { of: infer T } ? T : never;

export interface Followed<T> {
  /** Nothing until the first news has come. */
  readonly value: T | null;
  /** What was followed is no more. */
  readonly gone: boolean;
}

/**
 * Must be called while a component is set up. `topic` may depend on state; `other` hears
 * the smaller news of the same topic, and may answer with a new value.
 */
export function followed<K extends Kind>(
  topic: () => Topic | null,
  kind: K,
  other?: (news: News, now: Of<K> | null) => Of<K> | null | void,
): Followed<Of<K>> {
  let value = $state.raw<Of<K> | null>(null);
  let gone = $state(false);
  // By its text, so that a new object for the same topic is no reason to begin again.
  const wanted = $derived(JSON.stringify(topic()));
  function hear(news: News): void {
    if (news.news === kind) {
      value = (news as unknown as { of: Of<K> }).of;
      gone = false;
    } else if (news.news === 'gone') gone = true;
    else {
      const changed = other?.(news, value);
      if (changed) value = changed;
    }
  }
  $effect(() => {
    value = null;
    gone = false;
    const now = JSON.parse(wanted) as Topic | null;
    if (!now) return;
    // What is known already is told at once: reading it here is no reason to begin again.
    return untrack(() => follow(now, hear));
  });
  return {
    get value() {
      return value;
    },
    get gone() {
      return gone;
    },
  };
}
