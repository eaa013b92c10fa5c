import { z } from 'zod';
import { chainOf } from '../../chain/chains.ts';
import { Claim } from '../../entities/claim.ts';
import { CustodyMove } from '../../entities/custody-move.ts';
import { Permit } from '../../entities/permit.ts';
import type { Proposal } from '../../entities/proposal.ts';
import { checkForeignWallet, checkWalletAccount } from '../../inventory/custody-move/check-destination.ts';
import { orderMove } from '../../inventory/custody-move/order-move.ts';
import { checkWalletProof, walletStatement } from '../../inventory/custody-move/wallet-proof.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import type { ServiceContext } from '../../runtime.ts';
import { type Proposed, proposalKind } from './kind.ts';
import { propose } from './propose.ts';

export interface MoveOutRequest {
  permitId: string;
  /** The wallet, base58. */
  destination: string;
  /** From `statementToSign`, as it was signed. */
  statement: string;
  /** By the destination; base58 or base64. */
  signature: string;
  /** 1 to 1,000 characters. */
  reason: string;
}

/**
 * The text that the destination's holder signs before a ticket may move there.
 * @throws DomainError `not_found`; `invalid_request` for an address that can't be somebody's wallet
 */
export async function statementToSign(
  context: ServiceContext,
  { permitId, destination }: Pick<MoveOutRequest, 'permitId' | 'destination'>,
): Promise<string> {
  await checkForeignWallet(context, destination);
  const { ticket } = await permitOf(context, permitId);
  return walletStatement({ ticket: ticket.id, destination, at: context.now(), service: context.config.authUrl });
}

/**
 * Proposes to move a fan's ticket to a wallet outside, whose holder has signed for it.
 * @throws DomainError as `propose`; `conflict` where the ticket is in no fan's wallet, or sold or moved at the moment
 */
export async function proposeMoveOut(
  context: ServiceContext,
  { permitId, reason, ...request }: MoveOutRequest,
  staff: SignedInStaff,
): Promise<Proposal> {
  const { ticket } = await permitOf(context, permitId);
  if (ticket.owner == null) throw new DomainError('conflict', 'The ticket is in a wallet that is not ours.');
  const proof = { statement: request.statement.trim(), signature: request.signature.trim() };
  const expected = { ticket: ticket.id, destination: request.destination, service: context.config.authUrl };
  await checkWalletProof(expected, proof, context.now());
  const details: MoveOutDetails = { fanId: ticket.owner.id, destination: request.destination, ...proof };
  return propose(context, MOVE_OUT, { subject: knownId('perm', permitId), details, reason }, staff);
}

async function permitOf({ em }: ServiceContext, permitId: string): Promise<Permit> {
  return rowUnder(em, Permit, 'perm', permitId, { populate: ['ticket'], refresh: true });
}

const Details = z.object({
  /** Whose ticket it is when this is proposed. */
  fanId: z.string(),
  /** Base58. */
  destination: z.string(),
  statement: z.string(),
  /** By the destination, over the statement; base58 or base64. */
  signature: z.string(),
});
export type MoveOutDetails = z.infer<typeof Details>;

/** D-188: a ticket leaves custody for a wallet whose key this service does not have. */
export const MOVE_OUT = proposalKind<MoveOutDetails>({
  name: 'permit.move_out',
  title: 'Move a ticket to a wallet outside',
  proposes: 'proposals:write',
  decides: 'proposals:decide',
  details: Details,
  effects: ({ details: { destination } }) => [
    'If the ticket is for sale, its listing is closed onchain.',
    `The permit moves from the fan’s wallet to ${destination}, signed by the fan’s wallet.`,
    'The ticket leaves the fan’s list, and every app’s access to it ends.',
    'Nobody here can undo it: the key of that wallet is not ours. The holder can sell the ticket or give it back.',
  ],
  check: checkMoveOut,
  async execute(context, { id, subject, details, reason }, actor) {
    await holderOf(context, subject, details.fanId);
    await orderMove(context, { permitId: subject, to: { address: details.destination }, origin: id, reason, actor });
    return 'background';
  },
  async ends({ em }, ids) {
    const moves = await em.find(
      CustodyMove,
      { origin: { $in: [...ids] }, state: { $ne: 'open' } },
      { disableIdentityMap: true },
    );
    return moves.map(({ origin, state, reason }) => ({
      id: knownId('prop', origin),
      state: state === 'done' ? 'done' : 'failed',
      outcome: reason ?? null,
    }));
  },
});

async function checkMoveOut(context: ServiceContext, { subject, details }: Proposed<MoveOutDetails>): Promise<void> {
  const permit = await holderOf(context, subject, details.fanId);
  const { ticket } = permit;
  if (permit.revokedAt != null) throw new DomainError('conflict', 'The permit is revoked.');
  if (permit.issuedAt == null)
    throw new DomainError('conflict', 'The permit is not onchain yet. Wait until it is issued.');
  if (ticket.ticketType.event.closedAt != null)
    throw new DomainError('conflict', 'The event is closed onchain, and its permits are too.');
  await checkForeignWallet(context, details.destination);
  await checkWalletProof(
    { ticket: ticket.id, destination: details.destination, service: context.config.authUrl },
    details,
    null,
  );
  const { gateway } = chainOf(context.chains, ticket.ticketType.event.mode);
  await checkWalletAccount(gateway, details.destination);
  const { em } = context;
  if ((await em.count(Claim, { permit: permit.id, state: { $in: ['pending', 'submitted'] } })) > 0) {
    throw new DomainError('conflict', 'A claim of the ticket is under way. Wait until it has ended.');
  }
  if ((await em.count(CustodyMove, { permit: permit.id, state: 'open' })) > 0) {
    throw new DomainError('conflict', 'Another move of this ticket is under way. Wait until it has ended.');
  }
}

/** @throws DomainError `not_found`; `conflict` where the ticket is not that fan's (any more) */
async function holderOf({ em }: ServiceContext, permitId: string, fanId: string): Promise<Permit> {
  const permit = await rowUnder(em, Permit, 'perm', permitId, { populate: ['ticket.ticketType.event'], refresh: true });
  if (permit.ticket.owner == null) throw new DomainError('conflict', 'The ticket is in a wallet that is not ours.');
  if (permit.ticket.owner.id !== fanId) {
    throw new DomainError('conflict', 'The ticket has another holder than when this was proposed.');
  }
  return permit;
}
