import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, chainOf, type WithChains } from '../chain/chains.ts';
import type { TransactionStatus } from '../chain/gateway/gateway.ts';
import type { Submission } from '../chain/gateway/submit-transaction.ts';
import type { Context } from '../context.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import type { Claim } from '../entities/claim.ts';
import type { Mode } from '../entities/mode.ts';
import { takeInPermits } from '../ticket/take-in-permits.ts';

/**
 * The second half of a claim: from its row to its end. `pending -> submitted -> confirmed | failed`, each step one
 * conditional update, so that the request that made the claim and the job that takes up after a crash can both be at it.
 * A signed transaction can be handed over again without harm: its signature is its identity on the cluster.
 */
export interface OpenClaim {
  /** `uuid`. */
  id: string;
  /** Base58. */
  signature: string;
  /** Hex. */
  transaction: string;
  /** Base58. */
  recent_blockhash: string;
  /** Address of the Permit account, base58. */
  tix_permit_id: string;
  state: Claim['state'];
  failure: string | null;
}

type SettleContext = Pick<Context, 'pool' | 'now' | 'requestId'> & WithChains;

const POLL_MS = 200;
/** Where nobody answered to a submission, it is handed over again after this long: it may never have arrived. */
const RESUBMIT_AFTER_MS = 2_000;

const markSubmitted = prepared(
  `update claim set state = 'submitted', updated_at = $2 where id = any($1) and state = 'pending'`,
);
const markConfirmed = prepared<{ id: string }>(
  `with done as (
     update claim set state = 'confirmed', updated_at = $2 where id = any($1) and state in ('pending', 'submitted')
     returning id, grant_id, permit_id, signature
   ), audited as (
     insert into audit_entry (at, actor, action, subject, details, request_id)
     select $2, 'system', 'claim.confirmed', done.signature,
       jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id), $3 from done
   )
   select id from done`,
);
const markFailed = prepared<{ id: string }>(
  `with done as (
     update claim set state = 'failed', failure = $2, updated_at = $3
     where id = $1 and state in ('pending', 'submitted') returning id, grant_id, permit_id, signature
   ), audited as (
     insert into audit_entry (at, actor, action, subject, details, request_id)
     select $3, 'system', 'claim.failed', done.signature,
       jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id, 'reason', $2::text), $4
     from done
   )
   select id from done`,
);
const readEnd = prepared<Pick<OpenClaim, 'id' | 'state' | 'failure'>>(
  'select id, state, failure from claim where id = any($1)',
);

/**
 * Brings open claims to their end, as far as that can be done within some time. What is still open then stays as it is,
 * for the next call.
 * @param claims their `state` and `failure` are brought up to date
 * @param patienceMs how long to wait for confirmations
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function settleClaims(
  context: SettleContext,
  mode: Mode,
  claims: OpenClaim[],
  patienceMs: number,
): Promise<void> {
  const chain = chainOf(context.chains, mode);
  const until = performance.now() + patienceMs;
  const handedOver = new Map<OpenClaim, number>();
  for (let open = claims.filter(isOpen); open.length > 0; ) {
    const moved = await advance(context, chain, open, handedOver);
    open = claims.filter(isOpen);
    if (performance.now() >= until) return;
    // what was handed over just now is looked for at once; only then is it waited for
    if (!moved && open.length > 0) await sleep(POLL_MS);
  }
}

/** Whether a claim has not come to its end. */
export function isOpen({ state }: Pick<OpenClaim, 'state'>): boolean {
  return state === 'pending' || state === 'submitted';
}

/**
 * One round: asks the cluster, ends what it has decided, hands over what it does not know.
 * @param handedOver from when on a claim that was handed over may be again, by `performance.now()`
 * @returns whether anything was handed over
 */
async function advance(
  context: SettleContext,
  chain: Chain,
  open: OpenClaim[],
  handedOver: Map<OpenClaim, number>,
): Promise<boolean> {
  const { gateway } = chain;
  // in this order: a transaction that is unknown after its blockhash has expired can never land any more
  const blockhashes = await Promise.all(open.map((claim) => gateway.blockhash(claim.recent_blockhash)));
  const statuses = await takeStatuses(context, chain, open);
  const waiting: OpenClaim[] = [];
  for (const [index, claim] of open.entries()) {
    const { state, slot = 0 } = statuses[index] ?? {};
    const { recent, slot: askedAt } = blockhashes[index] ?? { recent: true, slot: 0 };
    if (state !== 'unknown') continue;
    if (recent) waiting.push(claim);
    // a node that lags behind the one which knew the blockhash does not know what landed either
    else if (slot >= askedAt) await fail(context, claim, 'its blockhash expired before it landed');
  }
  const due = waiting.filter((claim) => (handedOver.get(claim) ?? 0) <= performance.now());
  if (due.length === 0) return false;
  const submissions = await handOver(context, chain, due);
  for (const [index, claim] of due.entries()) {
    const answered = submissions[index]?.outcome !== 'unknown';
    handedOver.set(claim, answered ? Number.POSITIVE_INFINITY : performance.now() + RESUBMIT_AFTER_MS);
  }
  return true;
}

async function handOver(context: SettleContext, chain: Chain, claims: OpenClaim[]): Promise<Submission[]> {
  await markSubmitted(context.pool, [claims.map(({ id }) => id), context.now()]);
  const submissions = await Promise.all(
    claims.map(({ transaction }) => chain.gateway.submit(Buffer.from(transaction, 'hex'))),
  );
  const refused = claims.filter((_, index) => submissions[index]?.outcome === 'refused');
  // a refusal may only mean that it was run a moment before
  const statuses = await takeStatuses(context, chain, refused);
  for (const [index, claim] of refused.entries()) {
    const submission = submissions[claims.indexOf(claim)];
    if (statuses[index]?.state !== 'unknown' || submission?.outcome !== 'refused') continue;
    await fail(context, claim, submission.reason);
  }
  return submissions;
}

/** Ends the claims that the cluster has decided. @returns what it said of each */
async function takeStatuses(context: SettleContext, chain: Chain, claims: OpenClaim[]): Promise<TransactionStatus[]> {
  const statuses = await chain.gateway.statuses(claims.map(({ signature }) => signature));
  const confirmed: OpenClaim[] = [];
  let slot = 0;
  for (const [index, claim] of claims.entries()) {
    const status = statuses[index];
    if (status?.state === 'failed') await fail(context, claim, status.reason);
    if (status?.state !== 'confirmed') continue;
    confirmed.push(claim);
    slot = Math.max(slot, status.slot);
  }
  await confirm(context, chain, confirmed, slot);
  return statuses;
}

/** The claims and the ownership of their tickets in one transaction. @param slot the last one in which one landed */
async function confirm(
  { pool, now, requestId }: SettleContext,
  chain: Chain,
  claims: OpenClaim[],
  slot: number,
): Promise<void> {
  if (claims.length === 0) return;
  const addresses = claims.map((claim) => claim.tix_permit_id);
  const ended = await inTransaction(pool, async (client) => {
    await takeInPermits(client, chain.gateway, { addresses, notBefore: slot, now: now(), requestId });
    return markConfirmed(client, [claims.map(({ id }) => id), now(), requestId]);
  });
  await noteEnd(pool, claims, ended, { state: 'confirmed', failure: null });
}

async function fail({ pool, now, requestId }: SettleContext, claim: OpenClaim, reason: string): Promise<void> {
  const ended = await markFailed(pool, [claim.id, reason, now(), requestId]);
  await noteEnd(pool, [claim], ended, { state: 'failed', failure: reason });
}

/** Where another request or process ended a claim first, its word stands: every caller is told the same. */
async function noteEnd(
  pool: Context['pool'],
  claims: OpenClaim[],
  endedHere: { id: string }[],
  end: Pick<OpenClaim, 'state' | 'failure'>,
): Promise<void> {
  const elsewhere = claims.filter((claim) => !endedHere.some(({ id }) => id === claim.id));
  const ends = elsewhere.length === 0 ? [] : await readEnd(pool, [elsewhere.map(({ id }) => id)]);
  for (const claim of claims) Object.assign(claim, ends.find(({ id }) => id === claim.id) ?? end);
}
