import type { ProposalKindName } from '../../entities/proposal.ts';
import { INVENTORY_ROWS } from './inventory-rows.ts';
import type { AnyKind } from './kind.ts';
import { MOVE_OUT } from './move-out.ts';
import { NUMBER_CHANGE } from './number-change.ts';
import { FAN_COPY, FAN_DELETION } from './own-data.ts';
import { REOPEN } from './reopen.ts';

/** Every kind of proposal. A new one is one more entry here and in `PROPOSAL_KIND_NAMES`. */
export const PROPOSAL_KINDS: Readonly<Record<ProposalKindName, AnyKind>> = {
  'permit.move_out': MOVE_OUT,
  'fan.reopen': REOPEN,
  'fan.number_change': NUMBER_CHANGE,
  'fan.copy': FAN_COPY,
  'fan.deletion': FAN_DELETION,
  'inventory.rows': INVENTORY_ROWS,
};
