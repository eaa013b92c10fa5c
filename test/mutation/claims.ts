import { type Mutant, mutantsOf } from './mutant.ts';

/** Claims: who may begin one, what ends it, and what the claims of others never tell. */

const NETWORK = ['test/adapters/fan/claims-on-the-cluster.test.ts'];
const RIGHTS = ['test/adapters/fan/claims.test.ts'];
const ATTACKS = ['test/adapters/fan/claims.test.ts'];
const ENDS = ['test/adapters/fan/claims-ends.test.ts'];
const RACES = ['test/src/claim/claim-races.test.ts'];

export const CLAIMS: readonly Mutant[] = [
  ...mutantsOf('src/claim/read-known.ts', NETWORK, [[' and cl.destination_wallet = g.wallet', '']]),
  ...mutantsOf('src/claim/write-claims.ts', RIGHTS, [
    [' and access.granted\n', '\n'],
    ['where access.live and ', 'where '],
  ]),
  ...mutantsOf('src/claim/read-known.ts', RIGHTS, [["${visiblePermit('p', 'g.partner')}", 'true']]),
  ...mutantsOf('src/claim/execute-claims.ts', ATTACKS, [
    ['new Set([chain.payer, ...authoritiesOf(chain)])', 'new Set()'],
  ]),
  ...mutantsOf('src/claim/check-onchain.ts', NETWORK, [
    ["if (status.state !== 'confirmed') return", "if (status.state === 'unknown') return"],
    ["if (status.state === 'processing' && status.failing) throw undecided(where);", ''],
    ['if (blockhash.slot < before.slot) throw undecided(where);', ''],
    [' || status.slot < before.slot', ''],
    ['before === undefined || !mayTransfer(before, claim)', 'before === undefined'],
    ['const before = seemsGone ?', 'const before = !seemsGone ?'],
  ]),
  ...mutantsOf('src/claim/settle-claims.ts', ENDS, [['recent || slot < claim.judged_slot', 'recent']]),
  ...mutantsOf('src/claim/settle-claims.ts', NETWORK, [['else if (status.slot >= slot) await', 'else await']]),
  ...mutantsOf('src/claim/end-claims.ts', ENDS, [
    ['seen.permit_read and seen.moved', 'seen.permit_read'],
    ['coalesce(p.chain_slot >= landed.slot, false)', 'true'],
  ]),
  ...mutantsOf('src/claim/sync-landed.ts', RACES, [['requestId: run.context.requestId', 'requestId: null']]),
  ...mutantsOf('src/ticket/lock-permits.ts', RACES, [['any($1) for update skip locked', 'any($1) for update']]),
];
