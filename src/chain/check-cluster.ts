import { ChainCluster } from '../entities/chain.ts';
import { Event } from '../entities/event.ts';
import { IssueTransaction, WaitingPermit } from '../entities/issuing.ts';
import { Listing } from '../entities/listing.ts';
import { Permit, UnreadPermit } from '../entities/permit.ts';
import type { Context } from '../platform/context.ts';
import type { Mode } from '../platform/mode.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { ChainGateway } from './gateway/gateway.ts';

/** A mode's RPC URL leads to the wrong cluster: nothing may be signed for it. */
export class WrongClusterError extends OperatorError {
  constructor(mode: Mode, found: string, expected: string) {
    super(
      `The RPC URL of ${mode} leads to a cluster with the genesis hash ${found}, but it should be ${expected}. ` +
        'Correct the RPC URL; nothing was signed.',
    );
    this.name = 'WrongClusterError';
  }
}

/**
 * Checks at start-up that a cluster has the genesis hash that the first start stored in this database.
 * @param mayRestart for the local network, which starts empty: events and permits are then provisioned again
 * @throws WrongClusterError; DomainError `unavailable` where the cluster is unreachable
 */
export async function checkCluster(
  { em }: Pick<Context, 'em'>,
  mode: Mode,
  gateway: ChainGateway,
  mayRestart: boolean,
): Promise<void> {
  const genesisHash = await gateway.genesisHash();
  const known = await em.findOne(ChainCluster, { mode });
  if (known?.genesisHash === genesisHash) return;
  if (known && !mayRestart) throw new WrongClusterError(mode, genesisHash, known.genesisHash);
  await em.transactional(async (tx) => {
    await tx.upsert(ChainCluster, { mode, genesisHash, lastSignature: null, lastSlot: null });
    if (known) await forgetChain(tx, mode);
  });
}

async function forgetChain(em: Context['em'], mode: Mode): Promise<void> {
  // closed ones stay closed: the new network never had them
  await em.nativeUpdate(Event, { mode, closedAt: null }, { registeredAt: null });
  // of the old network: their permits wait again
  await em.nativeDelete(IssueTransaction, { mode, state: { $in: ['open', 'landed'] } });
  await em.nativeUpdate(WaitingPermit, { mode }, { signature: null });
  const ofMode = { closedAt: null, ticket: { ticketType: { event: { mode } } } };
  const permits = (await em.find(Permit, ofMode, { fields: ['id'] })).map((permit) => permit.id);
  await em.nativeUpdate(Permit, { id: { $in: permits } }, { issuedAt: null, chainSlot: null });
  await em.nativeDelete(UnreadPermit, { permit: { $in: permits } });
  await em.nativeDelete(Listing, { permit: { $in: permits }, closedAt: null });
}
