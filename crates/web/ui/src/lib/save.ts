/** Hands a text or a picture to the person as a file. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name that every system takes. */
export const safeName = (name: string): string => name.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, '-').trim() || 'quadrille';
