import { type Mutant, mutantsOf } from './mutant.ts';

const MOVES = ['test/src/custody-move'];
const PROPOSALS = ['test/schema/proposal.test.ts'];

/** Faults in what moves a permit out of a fan's wallet, and in the two people before it. */
export const MOVING: readonly Mutant[] = [
  ...mutantsOf('src/custody-move/check-destination.ts', MOVES, [
    ['if (!PublicKey.isOnCurve(bytes)) {', 'if (bytes.length === 0) {'],
    ['if ((await em.count(Wallet, { address })) > 0) {', 'if (address === undefined) {'],
    ["if ((await em.count(ChainKey, { address })) > 0) throw refused('is a key of this service.');", ''],
    [
      "if (account.executable) throw refused('is a program. Ask for the address of a wallet.');",
      'if (account.executable) return;',
    ],
    ['if (account.owner !== SYSTEM_PROGRAM || account.data.length > 0) {', 'if (account.data.length > 1_000_000) {'],
  ]),
  ...mutantsOf('src/custody-move/find-obstacle.ts', MOVES, [
    ["if (found.co_signing) return 'Staff have stopped co-signing.';", ''],
    ["if (found.fan) return 'Staff have stopped the fan.';", ''],
    ["if (country?.stopped) return 'Staff have stopped the fan’s country.';", ''],
    ["if (found.claim) return 'A claim of the ticket is under way.';", ''],
    [" or exists (${fanStopped('$2::uuid')})", ''],
    ["exists (${fanStopped('$1::uuid')}) or ", ''],
    ['where id in ($1::uuid, $2::uuid)', 'where id = $1::uuid and $2::uuid is distinct from $1'],
    ["state in ('pending', 'submitted') or", "state = 'submitted' or"],
  ]),
  ...mutantsOf('src/custody-move/settle-move.ts', MOVES, [
    ['if (obstacle !== undefined) throw new MoveWaits(obstacle);', ''],
    ["if (status?.state === 'confirmed') return status.slot;", ''],
    ['owner === move.from_wallet ? move.from_fan_id : undefined', 'owner === undefined ? undefined : move.from_fan_id'],
    ["status?.state === 'processing' || validity.recent || isYoung || isBehind", "status?.state === 'processing'"],
    ['validity.recent || isYoung ||', 'validity.recent ||'],
    ["owner === from && state === 'held'", 'owner === from'],
    ["return state === 'listed' ? [close, transfer] : [transfer];", 'return [transfer];'],
    ['if (refused && move.signature !== null) await forget(pool, move, move.signature);', ''],
    ['if (fault !== undefined) return end(', 'if (fault === null) return end('],
    ["if (after.is === 'to send') throw", "if (after.is === 'lost' && after.slot < 0) throw"],
    ["if (reading === undefined) throw new Error('The permit is not on the cluster.');", ''],
    ['if (isUnreadable(reading)) throw', "if (typeof reading === 'number') throw"],
    ['isYoung || isBehind', 'isYoung'],
    ["if (status?.state !== 'failed') {", 'if (status === undefined || status.slot >= 0) {'],
    ["error instanceof DomainError && error.code === 'invalid_request'", 'error instanceof Error'],
    ['if (listed) await requireAuthority(chain, await chain.gateway.config());', ''],
    ['if ((await markSent(pool, values)).length === 0) throw', 'if ((await markSent(pool, values)).length < 0) throw'],
    ['const refused = error instanceof DomainError && error.cause instanceof ChainError;', 'const refused = true;'],
    ['[move.tix_permit_id], move.chain_slot', '[move.tix_permit_id], 0'],
  ]),
  ...mutantsOf('src/custody-move/order-move.ts', MOVES, [
    ['    await checkForeignWallet(context, to.address);\n', ''],
    ['if (same && open.fromWallet === from.address) return open;', ''],
    ["  await em.execute('select 1 from permit where id = ? for no key update', [uuidOf('perm', id)]);\n", ''],
  ]),
  ...mutantsOf('src/custody-move/move-rows.ts', MOVES, [
    ['where id = $1 and ${IS_OPEN} and tries = $2 and signature is null returning id', 'where id = $1 returning id'],
  ]),
  ...mutantsOf('src/custody-move/wallet-proof.ts', PROPOSALS, [
    ['walletStatement({ ...expected, at }) !== statement', "statement === ''"],
    ['age > STATEMENT_LIFETIME', 'age > Number.MAX_VALUE'],
    ['if (await verifyEd25519(key, message, signature)) return;', 'return;'],
  ]),
  ...mutantsOf('src/proposal/decide.ts', PROPOSALS, [
    ['return !accounts.has(proposedBy);', 'return accounts.size > 0;'],
    ["{ id, state: 'proposed', expiresAt: { $gt: now }, proposedBy: by }", '{ id, proposedBy: by }'],
    ['expiresAt: { $gt: now }, proposedBy: by }', 'proposedBy: by }'],
    ['  await kind.check(context, proposed);\n', ''],
    ['if (isSecondPerson(proposal, person)) {', "if (actor === '') {"],
  ]),
  ...mutantsOf('src/proposal/move-out.ts', PROPOSALS, [
    ['if (permit.ticket.owner.id !== fanId) {', "if (fanId === '') {"],
    ["if (permit.revokedAt != null) throw new DomainError('conflict', 'The permit is revoked.');", ''],
  ]),
  ...mutantsOf('src/proposal/propose-move-out.ts', PROPOSALS, [
    ['await checkWalletProof(expected, proof, context.now());', 'await checkWalletProof(expected, proof, null);'],
  ]),
  ...mutantsOf('src/staff/rights.ts', PROPOSALS, [
    ["'proposals:decide': { role: 'reviewer', fresh: true,", "'proposals:decide': { role: 'reviewer', fresh: false,"],
    ["'proposals:decide': { role: 'reviewer', fresh: true,", "'proposals:decide': { role: 'support', fresh: true,"],
  ]),
];
