/** A board on the page as a picture of its own: SVG with its colours written in, or PNG. */
import { saveFile } from '../lib/save.ts';

/** What the style sheets say and a file must say itself. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linejoin', 'stroke-linecap', 'opacity', 'transform', 'stop-color', 'stop-opacity', 'font-size', 'font-family', 'font-weight', 'text-anchor'];

/** What is of the page and not of the picture. */
const LEFT_OUT = /^(class|style|id|tabindex|role|xmlns|data-.*|aria-.*)$/;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** An element as text. It is written, not copied: a copy with styles of its own is refused by the page's policy. */
function written(element: SVGElement): string {
  const style = getComputedStyle(element);
  if (style.display === 'none') return '';
  const attributes = new Map([...element.attributes].filter(({ name }) => !LEFT_OUT.test(name)).map(({ name, value }) => [name, value]));
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value && !(name === 'transform' && value === 'none')) attributes.set(name, value);
  }
  const text = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
  const inside = [...element.childNodes].map((node) => (node instanceof SVGElement ? written(node) : escaped(node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : ''))).join('');
  return `<${element.tagName}${text}>${inside}</${element.tagName}>`;
}

export function pictureText(board: SVGSVGElement): string {
  const [, , width, height] = (board.getAttribute('viewBox') ?? '0 0 8 8').split(/\s+/);
  return written(board).replace('<svg', `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`);
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
