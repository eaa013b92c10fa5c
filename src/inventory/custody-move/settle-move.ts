import type { PoolClient } from 'pg';
import type { Chain, WithChains } from '../../chain/chains.ts';
import { isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../../chain/instruction/instructions.ts';
import { requireAuthority } from '../../chain/require-authority.ts';
import { readOutcome } from '../../chain/transaction-outcome.ts';
import { runOwnTransaction } from '../../chain/wallet/own-transaction.ts';
import type { WithSigner } from '../../chain/wallet/signer.ts';
import { CO_SIGNING_STOPPED, fanStopped, smsStopped } from '../../entities/stopped.ts';
import { ChainError } from '../../platform/chain-error.ts';
import type { Context } from '../../platform/context.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { countriesOf } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import { syncPermits } from '../../tickets/ticket/sync-permits.ts';
import { checkWalletAccount } from './check-destination.ts';
import {
  countMove,
  endMove,
  forgetSent,
  issuedTo,
  MAY_APPEAR,
  markSent,
  type TakenMove,
  ticketOfPermit,
} from './move-rows.ts';

/** The part of a context that carries out moves. */
export type MoveContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'log'> & WithChains & WithSigner;

/** A blockhash is valid for about a minute; a node that is behind may not have a new one. */
const MAY_LAND_FOR_MS = 90_000;
/** A listing is submitted by its partner, at any time while its blockhash is valid. */
export const MAY_APPEAR_SECONDS = 150;

/** The state of a move on the chain: it has happened, it can't happen any more, or it must be sent. */
export type Verdict = Ended | ToSend;

interface Ended {
  is: 'done' | 'lost';
  reason: string | null;
  slot: number;
}

interface ToSend {
  is: 'to send';
  account: PermitAccount;
  /** The fan whose wallet has the permit, and signs. */
  signer: Uuid;
}

/**
 * Carries out one try of a move. The permit's account decides, and so does the signature that was recorded before sending: while its
 * transaction may land, no other is sent, so a permit that its new owner gives back is not moved a second time.
 * @throws Error where it can't go on at present; the caller sets the move aside
 */
export async function settleMove(context: MoveContext, chain: Chain, move: TakenMove): Promise<void> {
  const verdict = await judge(context, chain, move);
  if (verdict.is !== 'to send') return end(context, chain, move, verdict);
  const fault = await destinationFault(chain, move);
  if (fault !== undefined) return end(context, chain, move, { is: 'lost', reason: fault, slot: verdict.account.slot });
  await send(context, chain, move, verdict);
  const after = await judge(context, chain, move);
  if (after.is === 'to send') throw new Error('The cluster confirmed the transaction, but the permit has not moved.');
  await end(context, chain, move, after);
}

/** @throws Error while its transaction may still land, and where the chain can't be read */
export async function judge(context: MoveContext, chain: Chain, move: TakenMove): Promise<Verdict> {
  const account = await readPermit(chain, move);
  if (account === undefined) return endClosed(move);
  const { slot } = account;
  if (hasHappened(move, account)) {
    if (mayBeListed(context, move)) await waitForListing(context, chain, move, slot);
    return { is: 'done', reason: null, slot };
  }
  const landed = await landedAt(context, chain, move);
  if (landed !== undefined) {
    const isListedAgain = move.kind === 'close_listing' && slot >= landed;
    if (!isListedAgain) return { is: 'done', reason: null, slot: Math.max(landed, slot) };
    // a listing that was signed before has landed since: another transaction closes it
    if (move.signature !== null) await forget(context.pool, move, move.signature);
  }
  if (move.kind === 'close_listing' && !move.must_end) return { is: 'lost', reason: endOfOrder(move), slot };
  const signer = await signerOf(context, move, account);
  if (signer === undefined)
    return { is: 'lost', reason: `The ticket went to the wallet ${account.owner} first.`, slot };
  return { is: 'to send', account, signer };
}

/** A permit that is closed is not on sale, and goes nowhere. */
function endClosed({ kind, chain_slot: slot }: TakenMove): Ended {
  if (kind === 'close_listing') return { is: 'done', reason: null, slot };
  return { is: 'lost', reason: 'The permit was closed after its event.', slot };
}

/** The fan whose wallet the permit must be in; undefined where it is elsewhere, and stays there. */
async function signerOf({ pool }: MoveContext, move: TakenMove, { owner }: PermitAccount): Promise<Uuid | undefined> {
  if (move.from_wallet !== null) return owner === move.from_wallet ? move.from_fan_id : undefined;
  const [wallet] = await issuedTo(pool, [move.permit_id, owner]);
  return wallet?.fan_id;
}

/** Why a listing need not be closed any more. */
function endOfOrder({ cause }: TakenMove): string {
  return cause === null ? 'The ticket counts again.' : 'The ticket was put up for sale again since.';
}

/** A listing that was co-signed before the ticket was withdrawn, or its event was over, may still land. */
function mayBeListed(
  { now }: MoveContext,
  { kind, must_end: mustEnd, listing_signed_at: signedAt }: TakenMove,
): boolean {
  return kind === 'close_listing' && mustEnd && signedAt !== null && signedAt > after(now(), -MAY_APPEAR_SECONDS);
}

/** Stores immediately that a listing is closed, and waits for another one that may appear, which needs a transaction of its own. */
async function waitForListing(context: MoveContext, chain: Chain, move: TakenMove, slot: number): Promise<never> {
  await inTransaction(context.pool, (client) => syncPermit(context, client, chain, move, slot));
  if (move.signature !== null) await forget(context.pool, move, move.signature);
  throw new MoveWaits(MAY_APPEAR);
}

function syncPermit(
  { now, requestId }: MoveContext,
  client: PoolClient,
  { gateway }: Chain,
  { tix_permit_id: address }: TakenMove,
  notBefore: number,
): Promise<unknown> {
  return syncPermits(client, gateway, { addresses: [address], notBefore, now: now(), requestOf: () => requestId });
}

function hasHappened({ kind, from_wallet: from, destination }: TakenMove, { owner, state }: PermitAccount): boolean {
  return kind === 'transfer' ? owner === destination : owner === from && state === 'held';
}

/** Undefined where the account was closed with its event. */
async function readPermit({ gateway }: Chain, move: TakenMove): Promise<PermitAccount | undefined> {
  const [reading] = await gateway.permits([move.tix_permit_id], move.chain_slot);
  if (reading === undefined && move.event_closed) return undefined;
  if (reading === undefined) throw new Error('The permit is not on the cluster.');
  if (isUnreadable(reading)) throw new Error(`The permit can’t be read: ${reading.reason}`);
  return reading;
}

/**
 * The slot at which the recorded transaction landed; undefined where there is none that can still land.
 * @throws Error while it may still land
 */
async function landedAt({ pool, now }: MoveContext, { gateway }: Chain, move: TakenMove): Promise<number | undefined> {
  const { signature, blockhash, sent_at: sentAt } = move;
  if (signature === null || blockhash === null) return undefined;
  // the slot at which the blockhash was new is not stored: no node is behind by so much
  const isYoung = sentAt === null || now().getTime() - sentAt.getTime() < MAY_LAND_FOR_MS;
  const validAt = isYoung ? Number.POSITIVE_INFINITY : 0;
  const outcome = await readOutcome(gateway, { signature, lifetime: { blockhash, validAt } });
  if (outcome.is === 'landed') return outcome.slot;
  if (outcome.is === 'unclear') throw outcome.fault;
  if (outcome.is === 'open') {
    throw new Error('Its transaction may still land. Nothing else is sent until that is decided.');
  }
  await forget(pool, move, signature);
  return undefined;
}

async function forget(pool: MoveContext['pool'], move: TakenMove, signature: string): Promise<void> {
  await forgetSent(pool, [move.id, signature]);
  Object.assign(move, { signature: null, blockhash: null, sent_at: null });
}

/** Why a ticket can't go to a wallet that is not ours: nobody could ever sign for it there. */
async function destinationFault({ gateway }: Chain, move: TakenMove): Promise<string | undefined> {
  if (move.destination === null || move.to_fan_id !== null) return undefined;
  try {
    await checkWalletAccount(gateway, move.destination);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return error.message;
    throw error;
  }
}

/** Signs with the fan's wallet and sends, after every check that may forbid it. */
async function send(context: MoveContext, chain: Chain, move: TakenMove, verdict: ToSend): Promise<void> {
  const { pool, signer, now } = context;
  const { account } = verdict;
  const from = { from_wallet: account.owner, from_fan_id: verdict.signer };
  const listed = account.state === 'listed';
  if (listed) await requireAuthority(chain, await chain.gateway.config());
  const { authority } = chain;
  // last, just before signing
  const obstacle = await findObstacle(context, move, verdict.signer);
  if (obstacle !== undefined) throw new MoveWaits(obstacle);
  try {
    await runOwnTransaction(
      chain,
      signer,
      instructionsOf(chain, move, account, authority),
      listed ? [account.owner, authority] : [account.owner],
      async (sent) => {
        const { id, tries } = move;
        const { signature, blockhash } = sent;
        const marks = { id, tries, signature, blockhash, sent_at: now(), ...from };
        if (!(await markSent(pool, marks))) throw new Error('Another process has taken this move.');
        Object.assign(move, marks);
      },
    );
  } catch (error) {
    // the cluster has decided: this transaction never lands
    const refused = error instanceof DomainError && error.cause instanceof ChainError;
    if (refused && move.signature !== null) await forget(pool, move, move.signature);
    throw error;
  }
}

/** Closing and moving are one transaction: a sale that lands first fails both, and the ticket is never off sale without moving. */
function instructionsOf({ programId }: Chain, move: TakenMove, { owner, state }: PermitAccount, authority: string) {
  const { tix_permit_id: permit, destination } = move;
  const close = encodeInstruction(programId, 'cancel_listing_v1', { permit, owner, authority }, {});
  if (destination === null) return [close];
  const accounts = { permit, transfer_authority: owner, destination };
  // the permit is held then, so the transfer fulfils no listing
  const transfer = encodeInstruction(programId, 'transfer_permit_v1', accounts, { listing: 0n, price: 0n });
  return state === 'listed' ? [close, transfer] : [transfer];
}

/**
 * Syncs the permit at the slot of the verdict (its ticket, listing and grants) and ends the move, in one transaction.
 * @param by the actor that ends it, and a check in that transaction
 */
export async function end(
  context: MoveContext,
  chain: Chain,
  move: TakenMove,
  { is, reason, slot }: Ended,
  by: { actor: string; check(client: PoolClient): Promise<void> } = { actor: 'system', check: async () => {} },
): Promise<void> {
  const { pool, now, requestId } = context;
  const state = is === 'done' ? 'done' : 'failed';
  const ended = await inTransaction(pool, async (client) => {
    await syncPermit(context, client, chain, move, slot);
    // after it: permits are locked before moves
    await by.check(client);
    const [ticket] = await ticketOfPermit(client, [move.permit_id]);
    return endMove(client, {
      id: move.id,
      state,
      reason,
      now: now(),
      request: requestId,
      actor: by.actor,
      permit: idOf('perm', move.permit_id),
      move: idOf('move', move.id),
      ticket: ticket ? idOf('tkt', ticket.ticket_id) : null,
      fan: idOf('usr', move.from_fan_id),
    });
  });
  if (ended.length > 0) countMove(move.mode, state);
}

/** A move can't do anything yet: it is tried again, and has not failed. */
export class MoveWaits extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MoveWaits';
  }
}

const readObstacles = prepared<{ co_signing: boolean; fan: boolean; claim: boolean; phones: string[] }>(`
  select exists (${CO_SIGNING_STOPPED}) as co_signing,
    exists (${fanStopped('$1::uuid')}) or exists (${fanStopped('$2::uuid')}) as fan,
    exists (select from claim where permit_id = $3 and (state in ('pending', 'submitted') or $4 and state = 'confirmed')) as claim,
    array(select phone::text from fan where id in ($1::uuid, $2::uuid) and phone is not null) as phones`);
const readStopped = prepared<{ stopped: boolean }>(`select exists (${smsStopped('$1::text[]')}) as stopped`);

/**
 * Why nothing may be signed for a move at the moment: what staff have stopped, or a claim that is under way.
 * @param signer the fan whose wallet signs
 */
export async function findObstacle(
  { pool }: Pick<Context, 'pool'>,
  move: TakenMove,
  signer: Uuid,
): Promise<string | undefined> {
  const [found] = await readObstacles(pool, [signer, move.to_fan_id, move.permit_id, move.from_wallet === null]);
  if (!found) throw new Error('the obstacles of a move could not be read');
  if (found.co_signing) return 'Staff have stopped co-signing.';
  if (found.claim) return 'A claim of the ticket is under way.';
  // taking off sale takes nothing from the fan
  if (move.kind === 'close_listing') return undefined;
  if (found.fan) return 'Staff have stopped the fan.';
  const [country] = await readStopped(pool, [found.phones.flatMap(countriesOf)]);
  return country?.stopped ? 'Staff have stopped the fan’s country.' : undefined;
}
