import { type AccessEndCause, EndedAccess } from '../entities/ended-access.ts';
import type { WriteContext } from '../platform/context.ts';
import type { Id } from '../platform/identifier/type-id.ts';

/** What ends besides the calls of a client or fan that is stopped. */
export interface EndsToo {
  /** Everything that it put on sale is taken off sale. Nothing is put on sale again once it is no longer stopped. */
  endsSales?: boolean | undefined;
  /** Of a client: its grants end, and so do its sales. */
  endsGrants?: boolean | undefined;
}

type Stopped =
  | { client: Id<'client'>; cause: Extract<AccessEndCause, 'client_stopped' | 'client_suspended'> }
  | { fan: Id<'usr'>; cause: Extract<AccessEndCause, 'fan_stopped'> }
  | { marketplace: string; cause: Extract<AccessEndCause, 'marketplace_stopped'> };

/**
 * Lets the sales, and where asked for the grants, of a client or fan end, within the caller's transaction: `src/inventory/end-sales.ts`
 * works it off, also after a crash. Once it is under way, repeating it adds only the end of the grants.
 * @returns whether this adds something
 */
export async function endSalesOf(
  { em, now }: Pick<WriteContext, 'em' | 'now'>,
  { cause, ...of }: Stopped,
  { endsSales, endsGrants }: EndsToo,
  by: { actor: string; reason: string },
): Promise<boolean> {
  if (!endsSales && !endsGrants) return false;
  const underWay = await em.findOne(EndedAccess, of, { orderBy: { id: 'desc' } });
  if (underWay && (!endsGrants || underWay.grantsEndedBy != null)) return false;
  const grantsEndedBy = endsGrants ? by.actor : null;
  em.persist(em.create(EndedAccess, { ...of, cause, keptTickets: [], endedAt: now(), grantsEndedBy, note: by.reason }));
  return true;
}
