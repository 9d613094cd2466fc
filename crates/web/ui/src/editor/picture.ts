/** A board on the page as a picture of its own: SVG with its colours written in, or PNG. */
import { saveFile } from '../lib/save.ts';

/** What the style sheets say and a file must say itself. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linejoin', 'stroke-linecap', 'opacity', 'transform', 'stop-color', 'stop-opacity', 'font-size', 'font-family', 'font-weight', 'text-anchor'];

export function pictureText(board: SVGSVGElement): string {
  const copy = board.cloneNode(true) as SVGSVGElement;
  const from = [board, ...board.querySelectorAll<SVGElement>('*')];
  const to = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  from.forEach((element, i) => {
    const target = to[i];
    if (!target) return;
    const style = getComputedStyle(element);
    const text = STYLES.map((name) => [name, style.getPropertyValue(name)])
      .filter(([name, value]) => value && !(name === 'transform' && value === 'none'))
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
    for (const name of ['class', 'tabindex', 'role', 'aria-label', 'aria-hidden', 'aria-selected', 'aria-labelledby']) target.removeAttribute(name);
    target.setAttribute('style', text);
    if (style.display === 'none') target.setAttribute('display', 'none');
  });
  const [, , width, height] = (board.getAttribute('viewBox') ?? '0 0 8 8').split(/\s+/);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width ?? '480');
  copy.setAttribute('height', height ?? '480');
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(board: SVGSVGElement, name: string): void {
  saveFile(`${name}.svg`, pictureText(board), 'image/svg+xml');
}

/** About 1200 pixels wide, however large the board is on the screen. */
export async function savePng(board: SVGSVGElement, name: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([pictureText(board)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 1200;
    canvas.height = Math.round((1200 * image.height) / image.width);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob) saveFile(`${name}.png`, blob, 'image/png');
  } finally {
    URL.revokeObjectURL(address);
  }
}
