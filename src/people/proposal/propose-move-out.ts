import { Permit } from '../../entities/permit.ts';
import type { Proposal } from '../../entities/proposal.ts';
import { checkForeignWallet } from '../../inventory/custody-move/check-destination.ts';
import { checkWalletProof, walletStatement } from '../../inventory/custody-move/wallet-proof.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { ServiceContext } from '../../runtime.ts';
import type { MoveOutDetails } from './move-out.ts';
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
  return propose(context, 'permit.move_out', { subject: knownId('perm', permitId), details, reason }, staff);
}

async function permitOf({ em }: ServiceContext, permitId: string): Promise<Permit> {
  const id: Id<'perm'> = knownId('perm', permitId);
  const permit = await em.findOne(Permit, { id }, { populate: ['ticket'], refresh: true });
  if (!permit) throw nothingUnder('perm', id);
  return permit;
}
