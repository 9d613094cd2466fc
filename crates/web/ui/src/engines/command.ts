/**
 * A command as one types it in a terminal: the program and its arguments apart. Only what looks like an
 * argument is one, because the path of a program may have spaces; a path in quotes ends where they do.
 */
export function splitCommand(text: string): { command: string; args: string } {
  const line = text.trim();
  const quoted = /^(["'])(.+?)\1(?:\s+(.*))?$/.exec(line);
  if (quoted) return { command: quoted[2]!, args: quoted[3] ?? '' };
  const plain = /^(.*?\S)\s+(-.*)$/.exec(line);
  return plain ? { command: plain[1]!, args: plain[2]! } : { command: line, args: '' };
}
