import { CustodyMove } from '../../entities/custody-move.ts';
import { Permit } from '../../entities/permit.ts';
import { Wallet } from '../../entities/wallet.ts';
import type { Context } from '../../platform/context.ts';
import { lockRow } from '../../platform/database/advisory-lock.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import type { AuditDetails } from '../../record/audit/audit-actions.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { checkForeignWallet } from './check-destination.ts';

type OrderContext = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

export interface MoveOrder {
  permitId: string;
  /** The wallet of a fan, a wallet that is not ours (base58), or null to take a withdrawn ticket off sale and leave it where it is. */
  to: { fanId: string } | { address: string } | null;
  /** What orders it: an identifier (`prop_…`), or the name of a part of the service. At most 120 characters. */
  origin: string;
  /** For the audit log. */
  reason: string;
  /** `staff:…` or `system`. */
  actor: string;
}

/**
 * Orders a move, within the caller's transaction: `carryOutMoves` does it onchain once that is committed, signed by the wallet of
 * the ticket's owner. A listing is closed in the same Solana transaction. The chain decides: where a claim or a sale
 * lands first, the move ends as `failed`. Repeating the order of an open move gives that move.
 * @param context whose `em` is that of the transaction; the caller has checked the actor's right
 * @returns the move, `open` until it is `done` or `failed`
 * @throws DomainError `not_found`; `invalid_request` for a destination that is not allowed; `conflict` where the permit is
 * not onchain, its event is closed, the ticket is in no fan's wallet, another move of it is open, or a valid ticket is to be taken off sale
 */
export async function orderMove(context: OrderContext, order: MoveOrder): Promise<CustodyMove> {
  const { em } = context;
  const permit = await lockedPermit(context, order.permitId);
  const { ticket } = permit;
  const mode = ticket.ticketType.event.mode;
  if (permit.issuedAt == null)
    throw new DomainError('conflict', 'The permit is not onchain yet. Wait until it is issued.');
  if (order.to !== null && ticket.ticketType.event.closedAt != null)
    throw new DomainError('conflict', 'The event is closed onchain, and its permits are too.');
  const from = ticket.owner && (await em.findOne(Wallet, { fan: ticket.owner }));
  if (!ticket.owner || !from) throw new DomainError('conflict', 'The ticket is in a wallet that is not ours.');
  const destination = await destinationOf(context, order.to, mode);
  if (destination.address === from.address) {
    throw new DomainError('invalid_request', 'The ticket is in that wallet already.');
  }
  const kind = order.to === null ? 'close_listing' : 'transfer';
  const open = await em.findOne(CustodyMove, { permit: permit.id, state: 'open' }, { refresh: true });
  if (open) {
    const same = open.kind === kind && (open.destination ?? null) === destination.address;
    if (same && open.fromWallet === from.address) return open;
    throw new DomainError('conflict', 'Another move of this ticket is under way. Wait until it has ended.');
  }
  if (order.to === null && permit.revokedAt == null) {
    throw new DomainError('conflict', 'The ticket is valid: only its holder can take it off sale.');
  }
  const move = em.create(CustodyMove, {
    mode,
    permit,
    kind,
    fromWallet: from.address,
    fromFan: ticket.owner,
    destination: destination.address,
    toFan: destination.fan,
    origin: order.origin,
    state: 'open',
    tries: 0,
    retryAt: context.now(),
    createdAt: context.now(),
  });
  const details = { ...detailsOfMove(move, ticket.id), reason: order.reason };
  recordAudit(context, { actor: order.actor, action: 'custody_move.ordered', subject: permit.id, details });
  await em.flush();
  return move;
}

/** Locked, so that of two orders at the same time the second one sees the first. */
async function lockedPermit({ em }: OrderContext, permitId: string): Promise<Permit> {
  const id = knownId('perm', permitId);
  await lockRow(em, 'permit', uuidOf('perm', id));
  return rowUnder(em, Permit, 'perm', id, { populate: ['ticket.ticketType.event'], refresh: true });
}

async function destinationOf(
  context: OrderContext,
  to: MoveOrder['to'],
  mode: CustodyMove['mode'],
): Promise<{ address: string | null; fan: Id<'usr'> | null }> {
  if (to === null) return { address: null, fan: null };
  if ('address' in to) {
    await checkForeignWallet(context, to.address);
    return { address: to.address, fan: null };
  }
  const id = knownId('usr', to.fanId);
  const wallet = await context.em.findOne(Wallet, { fan: id }, { populate: ['fan'] });
  if (!wallet) throw nothingUnder('usr', id);
  if (wallet.fan.mode !== mode) throw new DomainError('invalid_request', `The fan is not in ${mode}.`);
  return { address: wallet.address, fan: id };
}

type Described = Pick<CustodyMove, 'id' | 'kind' | 'fromWallet' | 'destination' | 'origin'> & {
  fromFan: Pick<CustodyMove['fromFan'], 'id'>;
};

/** The details of a move in audit entries. */
export function detailsOfMove(move: Described, ticket: Id<'tkt'>): AuditDetails['custody_move.done'] {
  const { id, kind, fromWallet, destination, origin, fromFan } = move;
  return { move: id, kind, ticket, fan: fromFan.id, from: fromWallet ?? null, to: destination ?? null, origin };
}
