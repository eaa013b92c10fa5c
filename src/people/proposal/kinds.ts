import type { ProposalKindName } from '../../entities/proposal.ts';
import { INVENTORY_ROWS } from './inventory-rows.ts';
import type { AnyKind } from './kind.ts';
import { MOVE_OUT } from './move-out.ts';
import { NUMBER_CHANGE } from './number-change.ts';
import { FAN_COPY, FAN_DELETION } from './own-data.ts';
import { REOPEN } from './reopen.ts';

/**
 * Every kind of proposal. A new one is one more entry here and in `PROPOSAL_KIND_NAMES`. Read this at each use and not on import,
 * because the file of a kind also proposes it, and so imports this file.
 */
export const PROPOSAL_KINDS: Readonly<Record<ProposalKindName, AnyKind>> = {
  get 'permit.move_out'() {
    return MOVE_OUT;
  },
  get 'fan.reopen'() {
    return REOPEN;
  },
  get 'fan.number_change'() {
    return NUMBER_CHANGE;
  },
  get 'fan.copy'() {
    return FAN_COPY;
  },
  get 'fan.deletion'() {
    return FAN_DELETION;
  },
  get 'inventory.rows'() {
    return INVENTORY_ROWS;
  },
};
