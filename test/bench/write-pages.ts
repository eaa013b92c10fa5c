import { readFile, writeFile } from 'node:fs/promises';
import type { Figures } from './figures.ts';
import { judge, misses } from './judge.ts';
import { PATH_NAMES, pathOf } from './paths/all.ts';
import { markdownTable } from './table.ts';
import {
  goalsTable,
  growthTable,
  manyTicketsTable,
  mixedTable,
  pathsTable,
  processesTable,
  signInTable,
} from './tables.ts';
import { whyItMisses } from './why.ts';

const SPEED = new URL('../../docs/speed.md', import.meta.url);
const README = new URL('../../README.md', import.meta.url);
const README_PART = /(<!-- npm run bench -- --write -->\n).*(<!-- end -->)/s;

/** Writes `docs/speed.md` and the part of the README between its marks. */
export async function writePages(figures: Figures): Promise<void> {
  await writeFile(SPEED, speedPage(figures));
  const readme = await readFile(README, 'utf8');
  await writeFile(
    README,
    readme.replace(README_PART, (_, start, end) => `${start}${readmePart(figures)}\n${end}`),
  );
}

/** The page, of what was measured so far. */
export function speedPage(figures: Figures): string {
  const parts = [
    HEAD,
    section('Goals', undefined, [markdownTable(goalsTable(figures)), ...missesList(figures)], figures),
    section('Paths', 'paths', [PATHS, markdownTable(pathsTable(figures)), flameGraphs(figures)], figures),
    section('From authorize to the code', 'signIn', [SIGN_IN, markdownTable(signInTable(figures))], figures),
    section('Growth', 'growth', [GROWTH, markdownTable(growthTable(figures))], figures),
    section('Processes', 'processes', [PROCESSES, markdownTable(processesTable(figures))], figures),
    section('Tickets of one fan', 'manyTickets', [MANY_TICKETS, markdownTable(manyTicketsTable(figures))], figures),
    section('Mixed load', 'mixed', [mixedText(figures), markdownTable(mixedTable(figures))], figures),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function section(title: string, part: keyof Figures | undefined, content: readonly string[], figures: Figures): string {
  if (part !== undefined && figures[part] === undefined) return '';
  const measured = figures.measured?.[part ?? 'paths'];
  const where = measured === undefined ? [] : [`Measured ${measured}.`];
  return [`## ${title}`, ...content, ...where].join('\n\n');
}

function missesList(figures: Figures): string[] {
  const missing = judge(figures).filter(misses);
  if (missing.length === 0) return ['Nothing misses its goal.'];
  const lines = missing.map(({ what }) => `- **${what}**: ${whyItMisses(what)}`);
  return ['What misses, and why the limit is there:', lines.join('\n')];
}

function flameGraphs({ paths = {} }: Figures): string {
  const links = PATH_NAMES.filter((name) => paths[name]).map((name) => `[${pathOf(name).title}](flame/${name}.svg)`);
  return `Flame graphs of the main thread, of the last round: ${links.join(', ')}.`;
}

function readmePart(figures: Figures): string {
  return `\n${markdownTable(goalsTable(figures))}\n\nHow it is measured, and what each figure means: [docs/speed.md](docs/speed.md).\n`;
}

const HEAD = `# Speed and memory

This page is written by \`npm run bench -- --write\`. Compare the ratios: the figures themselves depend on the machine and on what else runs there.

| Command | What it measures |
|---|---|
| \`npm run bench\` | the paths in turns with their floors and the peer, memory, start and the statements of a sign-in; some eight minutes |
| \`npm run bench -- --only exchange,tickets\` | some of exchange, refresh, userinfo, tickets, listings, claims, and nothing else |
| \`npm run bench -- --only tickets --server FOLDER\` | another tree of this repository too, in the same turns |
| \`npm run bench -- --only tickets --profile FOLDER\` | and writes a flame graph of each path, and its \`.cpuprofile\`, which Chrome, VS Code and speedscope open |
| \`npm run bench -- --growth\` | latency from 10,000 to 10,000,000 tickets; \`--sizes 10000,100000\` are others |
| \`npm run bench -- --processes\` | requests per second of one to four processes |
| \`npm run bench -- --many-tickets\` | \`GET /tickets\` of one fan with 10 to 10,000 tickets, beside 100,000 open listings |
| \`npm run bench -- --mixed 3600\` | all paths at a steady pace for so many seconds: memory, latency and errors of each quarter |

\`--rounds 4\` is the number of rounds whose medians count. With \`--write\`, what is measured replaces the earlier figures here and in the README. The bench needs Linux, since it reads \`/proc\`.`;

const PATHS = `CPU milliseconds per request, read from \`/proc\` around each stretch of requests; 32 are in flight.

- \`main\`: the server's processes without libuv's pool.
- \`pool\`: libuv's pool, which makes the RSA signatures.
- \`database\`: all processes of PostgreSQL.
- \`compared\`: what the ratios are of: \`main\` and \`database\`; \`pool\` too, except on the paths of tokens (code exchange, refresh, userinfo).
- \`by ours\`: our \`compared\` by that of the side.
- \`req/s\`, \`p50\`, \`p99\`: by the clock, with client, server and database on one machine.

**floor** is a bare \`node:http\` server in a process of its own, over the same PostgreSQL. It does the same signatures, statements and calls of the cluster, and nothing else:

- code exchange, refresh: one statement, two RS256 signatures. userinfo: a JWT is verified with a key that is kept, one statement.
- GET /tickets (10 tickets): the server's own statement, and its JSON.
- 4 listings: 4 Ed25519 verifications and 8 signatures, one RPC read, one statement.
- 10 claims: 10 Ed25519 verifications; a statement that records the claims; one JSON-RPC batch that submits them, one that reads statuses and permits until all are confirmed; a statement that moves permits, tickets and listings, ends
the claims, and writes one audit entry for each. Ours writes three, since each of the three changes is searched by its own action and subject. The tables are copies of ours with the same indexes; the transfers are of lamports, which the server does not follow.

**peer** is oidc-provider from npm over PostgreSQL: one indexed table, prepared statements, clients and people in the database, RS256, PKCE, refresh tokens that rotate. Its access tokens are JWTs for an API (resource indicators), so an
exchange and a refresh sign two JWTs, as ours do; it stores no such token. Its userinfo endpoint refuses them, so those of userinfo are opaque.

The Solana cluster is the local network in a process of its own, which no figure includes. Its blocks are final at once.`;

const SIGN_IN = `Statements that each request of a sign-in sends to PostgreSQL, with those that begin and end transactions. Rows of the request log are written in batches behind the answers and do not count.`;

const GROWTH = `4 requests in flight; the median of five p99s.`;

const PROCESSES = `\`WORKERS\` processes over one database, 32 requests in flight. Client and database share the machine with them.`;

const MANY_TICKETS = `\`GET /tickets\` of one fan without a \`limit\`. First byte and whole answer: one request at a time; p50, p99 and the server's peak memory: 4 in flight. Listings are those of 100,000 other tickets.`;

function mixedText({ mixed }: Figures): string {
  return `All paths at a steady pace for ${mixed?.seconds ?? 0} seconds. Memory is the peak of the server's processes.`;
}
