/** Draws what a request costs, from the table of docs/speed.md. */

const PATHS = ['code exchange', 'refresh', 'userinfo'];

/** The sides of the table, as readers who do not know it call them. */
const SIDES = { floor: 'bare floor', ours: 'this service', peer: 'oidc-provider' };

/** Pixels of a millisecond. */
const SCALE = 250;

/** With a ground of its own: a page may be light where the reader's system is dark. */
const STYLE = `.ground { fill: #fff } text { font: 13px system-ui, sans-serif; fill: #1b1f24 } .path { font-weight: 600 }
    .floor { fill: #b3bcc6 } .ours { fill: #0f5c4d } .peer { fill: #c98b3c }
    @media (prefers-color-scheme: dark) { .ground { fill: #14181d } text { fill: #e6e9ed } .floor { fill: #5d6772 } .ours { fill: #49b59c } }`;

/** @returns an SVG with three bars for each path of tokens: CPU milliseconds of process and database */
export function drawSpeed(page: string): string {
  const groups = PATHS.map((path, index) => {
    const top = 34 + index * 92;
    const bars = Object.entries(SIDES).map(([side, label], at) => {
      const ms = costOf(page, path, side);
      const y = top + 10 + at * 22;
      const width = Math.round(ms * SCALE);
      return `  <text x="118" y="${y + 13}" text-anchor="end">${label}</text>
  <rect class="${side}" x="126" y="${y}" width="${width}" height="17" rx="3"/>
  <text x="${132 + width}" y="${y + 13}">${ms.toFixed(2)}</text>`;
    });
    return [`  <text class="path" x="126" y="${top}">${path}</text>`, ...bars].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 300" role="img" aria-labelledby="title">
  <title id="title">CPU milliseconds per request</title>
  <style>
    ${STYLE}
  </style>
  <rect class="ground" width="620" height="300" rx="6"/>
${groups.join('\n')}
</svg>
`;
}

/** The column "compared" of a row. */
function costOf(page: string, path: string, side: string): number {
  const cells = page
    .split('\n')
    .find((line) => line.startsWith(`| ${path} | ${side} |`))
    ?.split('|');
  const cost = Number(cells?.[6]);
  if (!(cost > 0)) throw new Error(`docs/speed.md has no figure of ${path}, ${side}`);
  return cost;
}
