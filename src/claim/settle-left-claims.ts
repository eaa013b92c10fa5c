import type { WithChains } from '../chain/chains.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { MODES, type Mode } from '../entities/mode.ts';
import { after } from '../oauth/lifetimes.ts';
import { type OpenClaim, settleClaims } from './settle-claims.ts';

/** A claim that nobody has touched for this many seconds was left by a crash or a cluster that was away. */
const LEFT_AFTER = 10;
const BATCH = 100;
/** One look and one hand-over; what stays open is for the next run. */
const PATIENCE_MS = 5_000;

const readLeft = prepared<OpenClaim>(`
  select cl.id, cl.signature, cl.transaction, cl.recent_blockhash, cl.state, cl.failure, p.tix_permit_id
  from claim cl join permit p on p.id = cl.permit_id join consent_grant g on g.id = cl.grant_id
    join client c on c.id = g.client_id and c.mode = $1
  where cl.state in ('pending', 'submitted') and cl.updated_at <= $2
  order by cl.updated_at limit $3`);

/** Takes up what a crash left: every claim that is neither confirmed nor failed is asked after on the chain and finished. */
export async function settleLeftClaims(
  context: Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains,
  leftAfter: number = LEFT_AFTER,
): Promise<void> {
  const modes = MODES.filter((mode) => context.chains[mode] !== undefined);
  const runs = await Promise.allSettled(modes.map((mode) => settleMode(context, mode, leftAfter)));
  // the cluster of one mode being away holds nobody up in the other
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}

async function settleMode(
  context: Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains,
  mode: Mode,
  leftAfter: number,
): Promise<void> {
  const left = await readLeft(context.pool, [mode, after(context.now(), -leftAfter), BATCH]);
  await settleClaims(context, mode, left, PATIENCE_MS);
}
