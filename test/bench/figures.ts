import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import type { PathName } from './paths/all.ts';
import type { Stretch } from './rounds.ts';

/** Everything that the bench measures. `npm run bench -- --write` keeps it in `figures.json`, and writes the pages from it. */
export interface Figures {
  paths?: Partial<Record<PathName, PathFigures>>;
  /** Peak megabytes of the server's processes. */
  memory?: Record<'own database' | 'all embedded', number>;
  /** Seconds from `npm start` until it is ready. */
  ready?: number;
  /** Statements of each request from authorize to the code. */
  signIn?: { request: string; statements: number }[];
  growth?: GrowthFigures[];
  processes?: ProcessesFigures[];
  manyTickets?: ManyTicketsFigures[];
  mixed?: MixedFigures;
  /** Where and when each part was measured. */
  measured?: Record<string, string>;
}

/** Medians of each side. */
export type PathFigures = Record<'ours' | 'floor', Stretch> & { peer?: Stretch; other?: Stretch };

export interface GrowthFigures {
  tickets: number;
  grants: number;
  /** Milliseconds. */
  p99: Partial<Record<PathName, number>>;
}

export interface ProcessesFigures {
  processes: number;
  perSecond: Partial<Record<PathName, number>>;
}

/** Of `GET /tickets` for one fan; times are milliseconds. */
export interface ManyTicketsFigures {
  tickets: number;
  /** Of other fans. */
  openListings: number;
  /** Of the answer. */
  kilobytes: number;
  /** Of one request with nothing beside it. */
  firstByte: number;
  whole: number;
  /** Of four requests in flight. */
  p50: number;
  p99: number;
  /** Peak megabytes of the server's processes meanwhile. */
  memory: number;
}

export interface MixedFigures {
  seconds: number;
  quarters: Quarter[];
}

export interface Quarter {
  /** Peak megabytes. */
  memory: number;
  requests: number;
  errors: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const FILE = new URL('figures.json', import.meta.url);

/** Those of the last `--write`; none before the first. */
async function readFigures(): Promise<Figures> {
  const text = await readFile(FILE, 'utf8').catch(() => '{}');
  return JSON.parse(text) as Figures;
}

/** Replaces the parts that were measured and keeps the others. */
export async function keepFigures(measured: Figures): Promise<Figures> {
  const before = await readFigures();
  const where = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}`;
  const stamps = Object.fromEntries(Object.keys(measured).map((part) => [part, where]));
  const paths = { ...before.paths, ...measured.paths };
  const kept: Figures = { ...before, ...measured, paths, measured: { ...before.measured, ...stamps } };
  await writeFile(FILE, `${JSON.stringify(kept, null, 2)}\n`);
  return kept;
}

function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores of ${cpu?.model.trim() ?? 'a processor'}, ${gigabytes} GB, Node ${process.versions.node}`;
}
