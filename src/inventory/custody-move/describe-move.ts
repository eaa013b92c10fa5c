import type { CustodyMove } from '../../entities/custody-move.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { AuditDetails } from '../../record/audit/audit-actions.ts';

type Described = Pick<CustodyMove, 'id' | 'kind' | 'fromWallet' | 'destination' | 'origin'> & {
  fromFan: Pick<CustodyMove['fromFan'], 'id'>;
};

/** What audit entries say of a move. */
export function detailsOfMove(move: Described, ticket: Id<'tkt'>): AuditDetails['custody_move.done'] {
  const { id, kind, fromWallet, destination, origin, fromFan } = move;
  return { move: id, kind, ticket, fan: fromFan.id, from: fromWallet ?? null, to: destination ?? null, origin };
}
