import { fileURLToPath } from 'node:url';
import { escapeHtml } from '../../adapters/http/escape-html.ts';

/** What V8's profiler returns. @see https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    /** Samples in which this function ran itself. */
    hitCount?: number;
    children?: number[];
  }[];
}

/** A function on one path of calls. */
interface Frame {
  name: string;
  place: string;
  /** Samples in it and in what it calls. */
  samples: number;
  callees: Map<string, Frame>;
}

const WIDTH = 1200;
const ROW = 16;
const LETTER_WIDTH = 6.1;
/** Frames of a smaller share of the time are left out. */
const LEAST_SHARE = 0.004;
const TREE = new URL('../..', import.meta.url).href;
/** Time in which the thread waits, or runs no JavaScript. */
const WAITING = new Set(['(idle)', '(program)']);

/**
 * A flame graph as SVG, calls below their caller. The width of a frame is its share of the time in which the main thread ran JavaScript;
 * its tooltip names function, file and share.
 */
export function flameGraph(profile: CpuProfile, title: string): string {
  const root = mergeFrames(profile);
  const rectangles: string[] = [];
  let rows = 1;
  draw(root, 0, 1);
  const height = (rows + 1) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="3" y="12">${escapeHtml(`${title}. Blue: this repository. Orange: libraries. Grey: Node.`)}</text>`,
    ...rectangles,
    '</svg>\n',
  ].join('\n');

  function draw(frame: Frame, left: number, row: number): void {
    const share = frame.samples / root.samples;
    if (!(share >= LEAST_SHARE)) return;
    rows = Math.max(rows, row + 1);
    rectangles.push(rectangle(frame, share, left, row));
    let calleeLeft = left;
    for (const callee of [...frame.callees.values()].sort((a, b) => b.samples - a.samples)) {
      draw(callee, calleeLeft, row + 1);
      calleeLeft += (callee.samples / root.samples) * WIDTH;
    }
  }
}

/** One tree in which a function appears once below each caller, whatever the line it was called from. */
function mergeFrames({ nodes }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { name: 'main thread', place: '', samples: 0, callees: new Map() };
  const first = nodes[0];
  for (const id of first?.children ?? []) root.samples += add(id, root);
  return root;

  /** @returns its samples */
  function add(id: number, caller: Frame): number {
    const node = byId.get(id);
    const name = node?.callFrame.functionName || '(anonymous)';
    if (node === undefined || WAITING.has(name)) return 0;
    const place = placeOf(node.callFrame);
    const key = `${name} ${place}`;
    const frame = caller.callees.get(key) ?? { name, place, samples: 0, callees: new Map() };
    caller.callees.set(key, frame);
    let samples = node.hitCount ?? 0;
    for (const child of node.children ?? []) samples += add(child, frame);
    frame.samples += samples;
    return samples;
  }
}

/** A file relative to the repository, or the name of a library's file within `node_modules`. */
function placeOf({ url, lineNumber }: { url: string; lineNumber: number }): string {
  if (url === '') return '';
  const file = url.startsWith('file:') && !url.startsWith(TREE) ? fileURLToPath(url) : url.replace(TREE, '');
  return `${file.replace(/^.*node_modules\//, 'node_modules/')}:${lineNumber + 1}`;
}

function colorOf({ place }: Frame): string {
  if (place.startsWith('node_modules/')) return '#fbbf77';
  return place === '' || place.startsWith('node:') ? '#d8d8d8' : '#9dc6f5';
}

function rectangle(frame: Frame, share: number, left: number, row: number): string {
  const width = share * WIDTH;
  const letters = Math.floor((width - 4) / LETTER_WIDTH);
  const label = letters < 3 ? '' : frame.name.slice(0, letters);
  const [x, y] = [left.toFixed(1), row * ROW];
  const tooltip = escapeHtml([frame.name, frame.place, `${(share * 100).toFixed(1)} %`].filter(Boolean).join(', '));
  return (
    `<g><title>${tooltip}</title><rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(frame)}"/>` +
    `<text x="${(left + 2).toFixed(1)}" y="${y + 11}">${escapeHtml(label)}</text></g>`
  );
}
