import { type Mutant, mutantsOf } from './mutant.ts';

/** Co-signing: what a transaction may look like, whose ticket it may be about, and what is recorded of it. */

const SHAPE = ['test/src/listing/judge-listing-attacks.test.ts', 'test/src/listing/judge-listing-transactions.test.ts'];
const PARSER = ['test/src/chain/transaction', ...SHAPE];
const CLAIM_SHAPE = ['test/src/claim/judge-claim-transactions.test.ts'];
const NOT_FOUND = ['test/adapters/fan/authorizations-attacks.test.ts'];
const OUR_KEYS = ['test/adapters/fan/authorizations-attacks.test.ts'];
const RIGHTS = ['test/adapters/fan/authorizations.test.ts'];
const ANSWERS = ['test/adapters/fan/authorizations.test.ts'];
const ROTATION = ['test/src/cluster/rotate-authority.test.ts'];
const AUTHORITY = ['test/src/chain/cluster/authority.test.ts'];
const CLUSTER = ['test/src/chain/cluster/no-cluster.test.ts', ...AUTHORITY];

const ROOM = 'packages/cosign-policy/src';
const WIRE = 'packages/solana-wire/src';

export const COSIGNING: readonly Mutant[] = [
  ...mutantsOf(`${ROOM}/check-programs.ts`, SHAPE, [
    ['if (transaction.lookups.length > 0) {', 'if (transaction.lookups.length > 99) {'],
    ['if (program === SYSTEM_PROGRAM && ADVANCE_NONCE', 'if (program === "" && ADVANCE_NONCE'],
    ['if (ourKeys.has(program)) {', 'if (ourKeys.has("")) {'],
    ['if (program !== programId && program !== COMPUTE_BUDGET_PROGRAM) {', 'if (program === "") {'],
    ['if (program !== programId && program', 'if (program !== SYSTEM_PROGRAM && program !== programId && program'],
    [
      'if (!isKind(call.data, SET_COMPUTE_UNIT_LIMIT) && !isKind(call.data, SET_COMPUTE_UNIT_PRICE)) {',
      'if (call.program === "") {',
    ],
    ['accountIndexes.length > 0', 'accountIndexes.length > 99'],
    ['if (new Set(kinds).size !== kinds.length)', 'if (kinds.length > 99)'],
    ['units > computeUnitLimitCap', 'units > computeUnitLimitCap + 1'],
    ['price > computeUnitPriceCap', 'price > computeUnitPriceCap + 1n'],
    ['data[0] === kind && data.length === length', 'data[0] === kind'],
  ]),
  ...mutantsOf(`${ROOM}/check-ticket-instruction.ts`, SHAPE, [
    ['if (name !== instruction) {', 'if (name === "") {'],
    ['if (count > 1) throw', 'if (count > 99) throw'],
    ['if (data.length !== expected) {', 'if (data.length > 99) {'],
    ['if (accountIndexes.length !== expected) {', 'if (accountIndexes.length > 99) {'],
    ['known !== undefined && !known.includes(address)', 'known === ""'],
    ['name !== shape.comparedByCaller && ', ''],
    ['!shape.knownAccounts.has(name) && shape.ourKeys.has(address)', 'shape.ourKeys.has("")'],
    ['!shape.knownAccounts.has(name) && ', ''],
    ['if (new Set(accountIndexes).size !== accountIndexes.length)', 'if (accountIndexes.length > 99)'],
  ]),
  ...mutantsOf(`${ROOM}/check-accounts.ts`, SHAPE, [
    ['if (ourKeys.has(feePayer))', 'if (ourKeys.has(""))'],
    ['isSigner(candidate.transaction, index) && !allowed', 'isSigner(candidate.transaction, index) && address === ""'],
    ['const allowed = index === FEE_PAYER_INDEX || declared', 'const allowed = declared'],
    ['&& name === shape.payingSlot;', ';'],
    ['index === FEE_PAYER_INDEX && name === shape.payingSlot', 'name === ""'],
    ['index === FEE_PAYER_INDEX && name', 'name'],
    ['pays || signer, pays || writable', 'isSigner(candidate.transaction, index), pays || writable'],
    ['pays || signer, pays || writable', 'pays || signer, isWritable(candidate.transaction, index)'],
    ['of candidate.transaction.instructions.entries()', 'of candidate.transaction.instructions.slice(99).entries()'],
    ['if (unused !== undefined)', 'if (unused === "")'],
  ]),
  ...mutantsOf(`${ROOM}/check-accounts.ts`, PARSER, [
    ['index < header.requiredSignatures', 'index <= header.requiredSignatures'],
    ['return index < requiredSignatures - readonlySigned;', 'return true;'],
    ['index < accountKeys.length - readonlyUnsigned', 'index <= accountKeys.length - readonlyUnsigned'],
  ]),
  ...mutantsOf(`${WIRE}/byte-cursor.ts`, PARSER, [
    ['if (byte === undefined) throw', 'if (cursor.at < 0) throw'],
    ['if (end > cursor.bytes.length) {', 'if (end < 0) {'],
    ['if (byte === 0 && shift > 0) throw', 'if (shift > 99) throw'],
    ['if (value > 0xffff) break;', ''],
  ]),
  ...mutantsOf(`${WIRE}/parse-transaction.ts`, PARSER, [
    ['if (bytes.length > limit) {', 'if (bytes.length > limit + 1) {'],
    ['versionOne ? MAX_VERSION_ONE_BYTES : MAX_TRANSACTION_BYTES', 'MAX_TRANSACTION_BYTES'],
    ['versionOne ? MAX_VERSION_ONE_BYTES : MAX_TRANSACTION_BYTES', 'MAX_VERSION_ONE_BYTES'],
    ['if (leadsWithVersion(bytes)) checkVersion(', 'if (bytes.length < 0) checkVersion('],
    ['>= VERSION_BIT && (bytes[1] ?? 0) !== 0', '>= VERSION_BIT'],
    ["if (version === 1) throw new WireError('version_one', 'version 1 is not supported');", ''],
    ['version !== 0 || !zeroIsKnown', 'version !== 0'],
    ['version !== 0 || !zeroIsKnown', '!zeroIsKnown'],
    ['if (left > 0) {', 'if (left > 1) {'],
    ['if (found === required) return;', 'return;'],
    ['if (readonlySigned >= requiredSignatures) {', 'if (readonlySigned > requiredSignatures) {'],
    ['if (requiredSignatures + readonlyUnsigned > accountKeys.length) {', 'if (requiredSignatures < 0) {'],
    ['if (seen.size !== index + 1) throw', 'if (index < 0) throw'],
    ['if (writableIndexes.length + readonlyIndexes.length === 0) {', 'if (writableIndexes.length < 0) {'],
    ['if (count > MAX_ACCOUNTS) throw', 'if (count > MAX_ACCOUNTS + 1) throw'],
    ['programIndex === 0 || programIndex', 'programIndex'],
    ['|| programIndex >= message.accountKeys.length', ''],
    ['accountIndexes.find((index) => index >= count)', 'accountIndexes.find((index) => index > count)'],
  ]),
  ...mutantsOf(
    `${ROOM}/decode-transaction-text.ts`,
    [...PARSER, ...CLAIM_SHAPE],
    [
      ["if (bytes.toString('base64') !== text) throw", 'if (bytes.length < 0) throw'],
      ['if (!HEX_DIGITS.test(text)) throw', 'if (text === "") throw'],
      ['if (digits.length % 2 === 1) throw', 'if (digits === "") throw'],
      ['if (text.length === 0) throw', 'if (text.length < 0) throw'],
      ['if (text.length > MAX_HEX_LENGTH) {', 'if (text.length < 0) {'],
      ['if (HEX_DIGITS.test(text)) return decodeHexDigits(text);', ''],
      ['/^[0-9a-fA-F]+$/', '/[0-9a-fA-F]+/'],
    ],
  ),
  ...mutantsOf(`${ROOM}/signatures.ts`, PARSER, [
    ['slot === undefined || signature.length !== slot.length', 'slot === undefined'],
    ['!isAbsent(slot) && Buffer.compare(slot, signature) !== 0', 'slot.length < 0'],
    ['!isAbsent(slot) && ', ''],
    ['slot.byteOffset - transaction.bytes.byteOffset', '1 + 64 * 0'],
    [
      'Buffer.from(transaction.bytes)',
      'Buffer.from(transaction.bytes.buffer, transaction.bytes.byteOffset, transaction.bytes.byteLength)',
    ],
  ]),
  ...mutantsOf(
    `${ROOM}/signatures.ts`,
    [...SHAPE, ...CLAIM_SHAPE],
    [
      ['if (index >= 0) throw', 'if (index >= 99) throw'],
      ['if (bad >= 0) throw', 'if (bad >= 99) throw'],
      ['if (bad >= 0) throw', 'if (bad >= 1) throw'],
      ['isAbsent(signature) || ', ''],
      ['return ABSENT.equals(signature);', 'return signature[0] === 0;'],
    ],
  ),
  ...mutantsOf(
    `${ROOM}/check-request.ts`,
    [...SHAPE, ...CLAIM_SHAPE],
    [
      ['transactions.length < 1 || ', ''],
      [' || transactions.length > most', ''],
      ['if (first !== undefined) {', 'if (first === -1) {'],
    ],
  ),
  ...mutantsOf(`${ROOM}/judge-listing-transactions.ts`, SHAPE, [
    ['if (price === 0n) throw', 'if (price === -1n) throw'],
    ['if (marketplace === SYSTEM_PROGRAM) throw', 'if (marketplace === "") throw'],
    ['  await verifyPresentSignatures(judged, placeOf);\n', ''],
  ]),
  ...mutantsOf(`${ROOM}/actions.ts`, SHAPE, [
    ['new Set([...facts.ourKeys, ', 'new Set(['],
    ['...(authorities ?? []), ', ''],
    [', ...(fanWallet === undefined ? [] : [fanWallet])', ''],
    ["[['config', [configAddress(programId).address]]]", '[]'],
    ['known.push([authoritySlot, authorities]);', 'known.push([authoritySlot, [...authorities, programId]]);'],
    ["  payingSlot: 'marketplace',", "  payingSlot: 'authority',"],
    ["instruction: 'cancel_listing_v1'", "instruction: 'create_listing_v1'"],
  ]),
  ...mutantsOf(`${ROOM}/actions.ts`, CLAIM_SHAPE, [
    ["payingSlot: 'transfer_authority'", "payingSlot: 'permit'"],
    ['known.push([walletSlot, [fanWallet]]);', ''],
    ["action !== 'claim' && { comparedByCaller", "action !== 'list' && { comparedByCaller"],
  ]),
  ...mutantsOf(
    `${ROOM}/listing-rules.ts`,
    [...NOT_FOUND, ...OUR_KEYS, ...RIGHTS],
    [
      ['account?.owner === wallet && ', ''],
      ['account?.owner === wallet && isReached', 'account?.owner === wallet'],
      ['if (listing.owner === wallet) return', 'if (listing.owner !== "") return'],
      ['if (address === undefined) return', 'if (address !== "") return'],
      ["address === feePayer ? 'our_key_pays' : 'our_key_misplaced'", "'our_key_misplaced'"],
      ['marketplace === null || !state.cannotSign', 'marketplace !== ""'],
      ["action === 'list' && account?.state !== 'held'", "action === 'list' && account?.state === undefined"],
      ["action === 'cancel' && account?.state !== 'listed'", "action === 'cancel' && account?.state === undefined"],
    ],
  ),
  ...mutantsOf(
    'src/listing/find-refusal.ts',
    [...NOT_FOUND, ...OUR_KEYS, ...RIGHTS],
    [
      ['known.reached.includes(permit)', 'permit !== ""'],
      ['cannotSign.has(marketplace) || ', ''],
      [' || known.cannotSign.includes(marketplace)', ''],
    ],
  ),
  ...mutantsOf(
    `${ROOM}/listing-rules.ts`,
    [...NOT_FOUND, ...OUR_KEYS, ...RIGHTS],
    [
      [
        "  { rules: ['ticket_not_found'], find: findMissingTicket },\n  { rules: ['wrong_account'], find: findWrongOwner },\n",
        "  { rules: ['wrong_account'], find: findWrongOwner },\n  { rules: ['ticket_not_found'], find: findMissingTicket },\n",
      ],
      [
        "  { rules: ['wrong_account'], find: findWrongOwner },\n  { rules: ['our_key_pays', 'our_key_misplaced'], find: findKeyOfOurs },\n",
        "  { rules: ['our_key_pays', 'our_key_misplaced'], find: findKeyOfOurs },\n  { rules: ['wrong_account'], find: findWrongOwner },\n",
      ],
    ],
  ),
  ...mutantsOf('src/listing/record-signatures.ts', RIGHTS, [
    ['${LIVE_GRANT} as live', 'true as live'],
    ["${grantsAction(`'${SIGNING_ACTION}'`)} as granted", 'true as granted'],
    ['exists (${CO_SIGNING_STOPPED}) as stopped', 'false as stopped'],
    ['where viewer.live and ', 'where '],
    ['viewer.granted and not', 'not'],
    [' and not viewer.stopped\n', '\n'],
    ['for update of p, t ${lock}', ''],
    ["viewer.grant_mode = 'all_current_future' or t.id", 't.id'],
    [' or t.id = any(viewer.ticket_ids)', ''],
  ]),
  ...mutantsOf('src/listing/record-signatures.ts', NOT_FOUND, [
    ["(viewer.grant_mode = 'all_current_future' or t.id = any(viewer.ticket_ids))", 'true'],
    ['where e.allowed and ', 'where '],
  ]),
  ...mutantsOf('src/listing/record-signatures.ts', ANSWERS, [
    ['listed.n = viewer.n and listed.permit = p.tix_permit_id', 'listed.n = viewer.n'],
    ['where e.allowed and cardinality(judged.reached) = json_array_length(e.signatures)', 'where e.allowed'],
    ['    on conflict do nothing returning', '    returning'],
    ["from: 'signed join first using (message_hash)'", "from: 'first'"],
  ]),
  ...mutantsOf('src/listing/record-signatures.ts', OUR_KEYS, [
    ['    ${ourKeysAmong(', "    select ''::text as address where false) , unused as (${ourKeysAmong("],
    [
      'select tix_event_id as address from event where tix_event_id = any(${addresses})\n    union all ',
      "select ''::text as address where false union all ",
    ],
    ['union all select tix_permit_id from permit where tix_permit_id = any(${addresses})', ''],
    ["      and judged.ours = '{}' and", '      and'],
    [` and judged."cannotSign" = '{}'`, ''],
    ['addresses.filter((each) => !declared.includes(each))', 'addresses'],
  ]),
  ...mutantsOf('src/listing/record-signatures.ts', OUR_KEYS, [
    ['select address from wallet where address = any(${addresses})\n    union all ', ''],
    ['\n    union all select address from chain_key where address = any(${addresses})', ''],
  ]),
  ...mutantsOf('src/listing/sign-listing-transactions.ts', OUR_KEYS, [
    ['ourKeys: new Set([chain.payer])', 'ourKeys: new Set()'],
    ['if (!isGone || newest <= state.slot) throw refusal;', 'return;'],
  ]),
  ...mutantsOf('src/listing/sign-listing-transactions.ts', AUTHORITY, [
    ['requireAuthority(chain, await chain.gateway.config());', ''],
    ['  await requireAuthority(chain, config);\n', ''],
  ]),
  ...mutantsOf(
    'src/listing/sign-listing-transactions.ts',
    [...NOT_FOUND, ...ANSWERS],
    [
      ['  const shown = await checkBlockhashes(chain, judged, blockhashes, state.slot);\n', '  const shown = 0;\n'],
      ['allowed: !foreseen', 'allowed: true'],
    ],
  ),
  ...mutantsOf('src/listing/sign-listing-transactions.ts', RIGHTS, [
    ['if (!recorded?.live) throw grantRevoked();', 'if (!recorded) throw grantRevoked();'],
    ['if (!recorded.granted) throw actionNotGranted(SIGNING_ACTION);', ''],
    ['if (recorded.stopped) {', 'if (recorded.ours.length < 0) {'],
  ]),
  ...mutantsOf('src/chain/require-authority.ts', AUTHORITY, [
    ["if (config === undefined) return 'config_missing';", 'if (config === undefined) return undefined;'],
    ["return 'authority_rotated';", 'return undefined;'],
    ['if (fault === undefined) return;', 'return;'],
    [', { retryAfter: RETRY_AFTER_SECONDS }', ''],
  ]),
  ...mutantsOf('src/listing/sign-listing-transactions.ts', ROTATION, [
    ['if (authoritiesOf(chain).join() !== authorities.join()) return judge(chain, access, request);', ''],
    ['if (judged.every(({ authority }) => known.includes(authority))) return;', 'if (known.length > 0) return;'],
  ]),
  ...mutantsOf('src/chain/require-authority.ts', ROTATION, [
    ['ours: (await chain.hasAuthority?.(address)) ?? false', 'ours: true'],
    ['ours: (await chain.hasAuthority?.(address)) ?? false', 'ours: false'],
    ['if (address === NO_ADDRESS) chain.former = undefined;', 'if (address === NO_ADDRESS) return;'],
  ]),
  ...mutantsOf('src/chain/chains.ts', ROTATION, [['return former?.ours ?', 'return former ?']]),
  ...mutantsOf('src/cluster/rotate-authority.ts', ROTATION, [['atOnce || !ours', 'atOnce']]),
  ...mutantsOf('src/cluster/retire-authority.ts', ROTATION, [
    ['![config.authority, config.former_authority].includes(key.address)', 'config.authority !== key.address'],
    ['gateway.finalConfig()', 'gateway.config()'],
  ]),
  ...mutantsOf('src/chain/read-chain-state.ts', CLUSTER, [
    ["chains.absent?.get(mode) ?? 'not_configured'", "'not_configured'"],
    ["(await authorityFaultOf(chain, config)) ?? 'ready'", "'ready'"],
    ["  } catch {\n    return 'unreachable';\n  }", '  }'],
    ['const PATIENCE_MS = 2_000;', 'const PATIENCE_MS = 60_000;'],
  ]),
  ...mutantsOf('src/chain/chains.ts', CLUSTER, [
    ["chains.absent?.get(mode) === 'unreachable'", 'chains.absent?.get(mode) !== undefined'],
    ["chains.absent?.get(mode) === 'unreachable'", 'mode !== undefined'],
    ["chains.absent?.get(mode) === 'unreachable'", 'mode === undefined'],
  ]),
  ...mutantsOf('adapters/open-chains.ts', CLUSTER, [
    ['    absent.delete(mode);\n', ''],
    [
      "      if (err instanceof WrongClusterError || err instanceof PublicKeyError) absent.set(mode, 'wrong_cluster');\n",
      '',
    ],
    ["      absent.set(mode, 'unreachable');\n", ''],
  ]),
  ...mutantsOf('adapters/http/health.ts', CLUSTER, [
    ["state !== 'ready' && state !== 'not_configured'", "state !== 'ready'"],
    ["state !== 'ready' && state !== 'not_configured'", 'state === undefined'],
    ['`chain (${mode}): ${state}`', '`chain (${mode})`'],
  ]),
  ...mutantsOf(
    'src/chain/gateway/read-accounts.ts',
    [...NOT_FOUND, ...OUR_KEYS],
    [['if (kind !== undefined && kind !== name) return', 'if (kind === undefined && kind !== name) return']],
  ),
  ...mutantsOf(
    `${ROOM}/marketplace.ts`,
    [...NOT_FOUND, ...OUR_KEYS],
    [
      ['return account.owner === programId || account.executable', 'return account.executable'],
      [' || account.executable || ', ' || '],
      [' || account.owner === SYSVAR_OWNER', ''],
    ],
  ),
  ...mutantsOf('src/ticket/future-tickets.ts', NOT_FOUND, [
    ['(viewer.cancels or ', '('],
    [' and p.revoked_at is null)`', ')`'],
  ]),
  ...mutantsOf(
    'src/ticket/future-tickets.ts',
    ['test/adapters/fan/authorizations-attacks.test.ts', 'test/src/ticket/list-tickets.test.ts'],
    [['join ticket t on t.owner_id = viewer.fan_id', 'join ticket t on true']],
  ),
  ...mutantsOf(
    'src/ticket/future-tickets.ts',
    ['test/adapters/fan/authorizations-attacks.test.ts', 'test/src/ticket/list-tickets.test.ts'],
    [
      ['${event}.mode = ${mode} and ', ''],
      [' and ${event}.ends_at > ${now}', ' and ${now}::timestamptz is not null'],
      ['${permit}.revoked_at is null and ', ''],
      ['(${permit}.partner_id is null or ${permit}.partner_id = ${partner})', 'true'],
      ['${permit}.partner_id is null or ', ''],
    ],
  ),
  ...mutantsOf(
    'src/ticket/lock-permits.ts',
    ['test/src/ticket/lock-permits.test.ts'],
    [
      ['order by id for update', 'order by id'],
      ['any($1) order by id for', 'any($1) order by id desc for'],
      ["atOnce: prepared(text('nowait'))", "atOnce: prepared(text(''))"],
      ["waiting: prepared(text(''))", "waiting: prepared(text('nowait'))"],
      ['    await lockPermits(client, [addresses]);\n', ''],
      ['if (!isHeld(error)) throw error;', ''],
      ["error.code === '55P03'", "error.code === ''"],
    ],
  ),
];
