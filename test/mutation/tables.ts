import { CHAIN } from './chain.ts';
import { CLAIMS } from './claims.ts';
import { COSIGNING } from './cosigning.ts';
import { CUSTODY } from './custody.ts';
import { GO_LIVE_CHECK } from './go-live-check.ts';
import { IDENTITY } from './identity.ts';
import { INVENTORY } from './inventory.ts';
import { ISSUING } from './issuing.ts';
import { KEYS } from './keys.ts';
import { MOVING } from './moves.ts';
import type { Mutant } from './mutant.ts';
import { NOTIFYING } from './notifications.ts';
import { OPERATING } from './operating.ts';
import { TOKENS } from './tokens.ts';
import { WORKSPACE } from './workspace.ts';

/** Every table of mutants, by name. */
export const TABLES: Readonly<Record<string, readonly Mutant[]>> = {
  cosigning: COSIGNING,
  claims: CLAIMS,
  chain: CHAIN,
  custody: CUSTODY,
  keys: KEYS,
  issuing: ISSUING,
  inventory: INVENTORY,
  moves: MOVING,
  identity: IDENTITY,
  tokens: TOKENS,
  notifying: NOTIFYING,
  operating: OPERATING,
  workspace: WORKSPACE,
  'go-live-check': GO_LIVE_CHECK,
};
