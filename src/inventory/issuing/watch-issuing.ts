import { Counter, Gauge } from 'prom-client';
import { chainOf } from '../../chain/chains.ts';
import { type PayerLevel, readPayer } from '../../chain/payer.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { MODES, type Mode } from '../../platform/mode.ts';
import type { IssueContext } from './issue-run.ts';

const gauge = (name: string, help: string) => new Gauge({ name, help: `${help}, by mode`, labelNames: ['mode'] });

const lasts = gauge('payer_lasts_for_permits', 'How many permits the balance of the payer lasts for');
const spendable = gauge('payer_spendable_lamports', 'Lamports that the payer can spend');
const waiting = gauge('permits_waiting', 'Permits that wait to be issued');
const aside = gauge('permits_set_aside', 'Permits that could not be issued and wait for their next try');
const oldest = gauge('permits_oldest_waiting_seconds', 'How long the oldest permit waits that was not refused');
// a series that starts with its first event hides that event from rates
for (const mode of MODES) for (const each of [waiting, aside, oldest]) each.set({ mode }, 0);

const counter = (name: string, help: string) => new Counter({ name, help: `${help}, by mode`, labelNames: ['mode'] });

const closedPermits = counter('permits_closed_total', 'Permits whose account this service closed');
const returned = counter(
  'returned_lamports_total',
  'Lamports that came back from closed accounts of events and permits',
);
for (const mode of MODES) for (const each of [closedPermits, returned]) each.inc({ mode }, 0);

/** Counts what was closed. */
export function countClosed(mode: Mode, permits: number, lamports: bigint): void {
  closedPermits.inc({ mode }, permits);
  returned.inc({ mode }, Number(lamports));
}

/** What the last look at a mode found, kept from look to look. */
export interface Watched {
  level: PayerLevel;
}

/**
 * Sets the metrics of a mode's payer and queue, and logs each change of the payer's level once.
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function watchIssuing(context: IssueContext, mode: Mode, watched: Watched): Promise<void> {
  const backlog = await readBacklog(context, mode);
  waiting.set({ mode }, backlog.waiting);
  aside.set({ mode }, backlog.setAside);
  const age = backlog.oldest === null ? 0 : (context.now().getTime() - backlog.oldest.getTime()) / 1_000;
  oldest.set({ mode }, Math.max(0, age));
  const payer = await readPayer(context.config, chainOf(context.chains, mode));
  lasts.set({ mode }, Number(payer.permits));
  spendable.set({ mode }, Number(payer.spendable));
  if (payer.level === watched.level) return;
  watched.level = payer.level;
  const facts = { mode, payer: payer.address, permits: String(payer.permits), lamports: String(payer.spendable) };
  if (payer.level === 'enough') context.log.info(facts, 'the payer has enough again');
  else
    context.log.warn(
      facts,
      payer.level === 'low' ? 'the payer is low: send SOL to it' : 'the payer is empty: no permits are issued',
    );
}

/** The permits of a mode that wait to be issued. */
export interface Backlog {
  waiting: number;
  /** Of those, tried and refused: they wait for their next try. */
  setAside: number;
  /** Since when the oldest of the others waits; null where none does. */
  oldest: Date | null;
}

const read = preparedWithDates<{ [column: string]: unknown } & Backlog>(`
  select count(*)::int as waiting, (count(*) filter (where tries > 0))::int as "setAside",
    min(since) filter (where tries = 0) as oldest
  from waiting_permit where mode = $1 and not closes and signature is null and retry_at is not null`);

/** Reads the backlog. The cost grows with the permits that wait, not with those that are issued. */
export async function readBacklog({ pool }: Pick<Context, 'pool'>, mode: Mode): Promise<Backlog> {
  const [row] = await read(pool, [mode]);
  return row ?? { waiting: 0, setAside: 0, oldest: null };
}
