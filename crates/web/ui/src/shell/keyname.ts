const signs: Record<string, string> = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', shift: '⇧', ctrl: 'Ctrl', alt: 'Alt', Escape: 'Esc', Delete: 'Del', Enter: '↵',
};

/** A key as it is printed on a keyboard, its parts apart. */
export function keyName(key: string): string[] {
  return key.split('+').map((part) => signs[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}
