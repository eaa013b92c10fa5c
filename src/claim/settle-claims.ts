import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, chainOf } from '../chain/chains.ts';
import type { TransactionStatus } from '../chain/gateway/gateway.ts';
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

type SettleContext = Pick<Context, 'pool' | 'chains' | 'now' | 'requestId'>;

const POLL_MS = 200;

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
const markFailed = prepared(
  `with done as (
     update claim set state = 'failed', failure = $2, updated_at = $3
     where id = $1 and state in ('pending', 'submitted') returning id, grant_id, permit_id, signature
   )
   insert into audit_entry (at, actor, action, subject, details, request_id)
   select $3, 'system', 'claim.failed', done.signature,
     jsonb_build_object('claim', done.id, 'grant', done.grant_id, 'permit', done.permit_id, 'reason', $2::text), $4 from done`,
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
  const handedOver = new Set<OpenClaim>();
  for (;;) {
    const open = claims.filter(isOpen);
    if (open.length === 0) return;
    const moved = await advance(context, chain, open, handedOver);
    if (performance.now() >= until) return;
    // what was handed over just now is looked for at once; only then is it waited for
    if (!moved) await sleep(POLL_MS);
  }
}

/** Whether a claim has not come to its end. */
export function isOpen({ state }: Pick<OpenClaim, 'state'>): boolean {
  return state === 'pending' || state === 'submitted';
}

/**
 * One round: asks the cluster, ends what it has decided, hands over what it does not know.
 * @returns whether anything was handed over
 */
async function advance(
  context: SettleContext,
  chain: Chain,
  open: OpenClaim[],
  handedOver: Set<OpenClaim>,
): Promise<boolean> {
  const { gateway } = chain;
  // in this order: a transaction that is unknown after its blockhash has expired can never land any more
  const recent = await Promise.all(open.map((claim) => gateway.isRecentBlockhash(claim.recent_blockhash)));
  await takeStatuses(context, chain, open);
  const unknown = open.filter(isOpen);
  for (const claim of unknown.filter((candidate) => !recent[open.indexOf(candidate)])) {
    await fail(context, claim, 'its blockhash expired before it landed');
  }
  const waiting = unknown.filter((claim) => isOpen(claim) && !handedOver.has(claim));
  if (waiting.length === 0) return false;
  await handOver(context, chain, waiting);
  for (const claim of waiting) handedOver.add(claim);
  return true;
}

async function handOver(context: SettleContext, chain: Chain, claims: OpenClaim[]): Promise<void> {
  await markSubmitted(context.pool, [claims.map(({ id }) => id), context.now()]);
  const submissions = await Promise.all(
    claims.map(({ transaction }) => chain.gateway.submit(Buffer.from(transaction, 'hex'))),
  );
  const refused = claims.filter((_, index) => submissions[index]?.outcome === 'refused');
  // a refusal may only mean that it landed a moment before
  await takeStatuses(context, chain, refused);
  for (const claim of refused.filter(isOpen)) {
    const submission = submissions[claims.indexOf(claim)];
    if (submission?.outcome === 'refused') await fail(context, claim, submission.reason);
  }
}

/** Ends the claims that the cluster has decided. */
async function takeStatuses(context: SettleContext, chain: Chain, claims: OpenClaim[]): Promise<void> {
  const statuses = await chain.gateway.statuses(claims.map(({ signature }) => signature));
  const inState = (state: TransactionStatus['state']) => claims.filter((_, index) => statuses[index]?.state === state);
  for (const claim of inState('failed')) {
    const status = statuses[claims.indexOf(claim)];
    if (status?.state === 'failed') await fail(context, claim, status.reason);
  }
  await confirm(context, chain, inState('confirmed'));
}

/** The claims and the ownership of their tickets in one transaction. */
async function confirm({ pool, now, requestId }: SettleContext, chain: Chain, claims: OpenClaim[]): Promise<void> {
  if (claims.length === 0) return;
  const accounts = await chain.gateway.permits(claims.map((claim) => claim.tix_permit_id));
  const observed = accounts.flatMap((account, index) => {
    const address = claims[index]?.tix_permit_id;
    return account && address !== undefined ? [{ ...account, address }] : [];
  });
  await inTransaction(pool, async (client) => {
    await markConfirmed(client, [claims.map(({ id }) => id), now(), requestId]);
    await takeInPermits(client, observed, now(), requestId);
  });
  for (const claim of claims) claim.state = 'confirmed';
}

async function fail({ pool, now, requestId }: SettleContext, claim: OpenClaim, reason: string): Promise<void> {
  await markFailed(pool, [claim.id, reason, now(), requestId]);
  claim.state = 'failed';
  claim.failure = reason;
}
