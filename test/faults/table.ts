import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './fault.ts';

/** What a row of the table is made of; a skipped one says why. */
export type Result = ({ commit: string; date: string } & Outcome) | ({ commit: string; date: string } & NotRun);

/** A row that was not run: `skipped` where the machine does not permit it, else its parts did not start. */
export interface NotRun {
  name: string;
  skipped?: string;
  broken?: string;
}

/** Results wait here until each row has one, so that the rows can be run one by one. */
const FOLDER = 'node_modules/.cache/faults';
const STORE = `${FOLDER}/results.json`;
const PAGE = 'docs/faults.md';
/** Of the code that runs, whatever is edited meanwhile. */
const COMMIT = commitHere();

/**
 * Keeps the result of a row, and writes the page.
 * @param names of all rows, in order
 */
export function keepResult(names: readonly string[], result: Outcome | NotRun): void {
  const known = readResults().filter(({ name }) => name !== result.name);
  const results = [...known, { commit: COMMIT, date: new Date().toISOString().slice(0, 10), ...result }];
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(STORE, JSON.stringify(results, null, 1));
  writePage(names);
}

/** Writes docs/faults.md from the results that are kept, if there is one of each row. */
export function writePage(names: readonly string[]): void {
  const results = readResults();
  const rows = names.flatMap((name) => results.filter((row) => row.name === name));
  if (rows.length === names.length) writeFileSync(PAGE, page(rows));
}

/** What is checked out; this page itself does not count. */
function commitHere(): string {
  const git = (...args: string[]) => execFileSync('git', args).toString().trim();
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', `:!${PAGE}`) !== '';
  return git('rev-parse', '--short=10', 'HEAD') + (changed ? ' with changes' : '');
}

function readResults(): Result[] {
  return existsSync(STORE) ? (JSON.parse(readFileSync(STORE, 'utf8')) as Result[]) : [];
}

function page(rows: Result[]): string {
  const tried = rows.filter((row) => 'during' in row || row.broken !== undefined);
  const good = tried.filter((row) => 'during' in row && row.problems.length === 0).length;
  const runs = [...new Set(rows.map(({ date, commit }) => `${date} at commit ${commit}`))];
  return `# Faults

What happens when a part fails, as \`npm run test:faults\` saw it on ${runs.join(' and on ')}: ${good} of ${tried.length} rows without a problem. The command writes this page; do not edit it.

Each row is a run of its own on real parts, some at the same time: a PostgreSQL with \`fsync\` on, a local Solana network, and one, two or four processes of the service. Three fans sign in, consent, exchange, refresh and list tickets in a loop,
and three tickets are listed, sold and claimed to and fro. The fault comes after four seconds. A partner repeats a call that was answered with 503 or not at all, after 0.3 s.
Then every grant, code, refresh token and claim that the partner was told of is compared with the database, and every claim with the network; spent codes and refresh tokens are presented again; the hash chain of the audit log is recomputed.

- *Seen*: calls during the fault: served, 503, refused (4xx), 500, without an answer; and the slowest.
- *Ready*: when \`/readyz\` first said no, and how long after the end of the fault it said yes.
- *Whole*: from the end of the fault to the end of the last failed call, and to the first success of every operation, in seconds. The first success of a claim or a sign-in takes several calls.
- *Lost or doubled*: what was compared, and what did not hold.

| Fault | s | Seen | Ready | Whole | Lost or doubled | Commit |
|---|---|---|---|---|---|---|
${rows.map(line).join('\n')}
`;
}

function line(row: Result): string {
  if (!('during' in row)) {
    const why = row.broken === undefined ? `not run: ${row.skipped}` : `**did not start: ${row.broken}**`;
    return `| ${[row.name, '', why, '', '', '', row.commit].map(cell).join(' | ')} |`;
  }
  const { served, unavailable, refused, internal, unanswered } = row.during;
  const seen = [
    `${served} served`,
    ...(unavailable > 0 ? [`${unavailable} × 503`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(internal > 0 ? [`**${internal} × 500**`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
    `slowest ${row.slowest} s`,
  ];
  const ready =
    row.notReadyAfter === undefined ? 'yes' : `no after ${row.notReadyAfter}, yes after ${row.readyAfter ?? '?'}`;
  const whole =
    row.whole === undefined ? '**not in time**' : `${row.whole}; all succeeded after ${row.firstSuccess ?? '?'}`;
  const judged = `${row.judged.grants} grants, ${row.judged.claims} claims`;
  const found = row.problems.length === 0 ? 'nothing' : `**${row.problems.join('; ')}**`;
  const notes = row.notes.length === 0 ? '' : `<br>${row.notes.join('; ')}`;
  return `| ${[row.name, row.heldSeconds, seen.join(', '), ready, whole, `${judged}: ${found}${notes}`, row.commit].map(cell).join(' | ')} |`;
}

function cell(value: string | number): string {
  return String(value)
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replaceAll(/<(?!br>)/g, '&lt;');
}
