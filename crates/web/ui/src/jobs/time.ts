/** A length of time in round words: a key of the dictionary and its numbers. */
export function roundTime(ms: number): { key: 'jobs.time.seconds' | 'jobs.time.minutes' | 'jobs.time.hours'; n: number; m: number } {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return { key: 'jobs.time.seconds', n: seconds, m: 0 };
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return { key: 'jobs.time.minutes', n: minutes, m: 0 };
  return { key: 'jobs.time.hours', n: Math.floor(minutes / 60), m: minutes % 60 };
}
