import { createHash, randomBytes } from 'node:crypto';
import { RULES } from '@fan-api/cosign-policy/rules';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed } from '@fan-api/solana-wire/ed25519';
import { parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import { expect } from 'vitest';
import { ExplainResponse } from '../../../../adapters/partner-api/fan/explain-wire.ts';
import { type ChainApp, rows } from '../../../support/chain-app.ts';
import { callFan } from '../../../support/partner.ts';

export const textOf = (bytes: Buffer | string) => (typeof bytes === 'string' ? bytes : bytes.toString('hex'));

/** A call with a preference. */
export function prefer(app: ChainApp, path: string, token: string | undefined, body: unknown, preference = 'explain') {
  return callFan(app, path, token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: preference },
    body: JSON.stringify(body),
  });
}

/** Everything that a call could have written. */
async function written(app: ChainApp) {
  const [counts] = await rows<Record<string, number>>(
    app,
    `select (select count(*)::int from listing_signature) as signatures, (select count(*)::int from claim) as claims,
       (select count(*)::int from audit_entry) as audited, (select count(*)::int from permit) as permits,
       (select coalesce(sum(xmin::text::bigint), 0)::text from claim) as claim_versions`,
  );
  return counts;
}

/** Explains transactions, of the seller or for the buyer, and expects that it neither signed, wrote nor submitted anything. */
export async function explainBy(app: ChainApp, action: 'list' | 'cancel' | 'claim', texts: (Buffer | string)[]) {
  const [seller, buyer] = app.users;
  const token = (await (action === 'claim' ? buyer : seller).tokens()).access_token;
  const before = await written(app);
  const sent = app.proxy.count('sendTransaction');
  const answer =
    action === 'claim'
      ? await prefer(app, '/claims/execute', token, { tickets: texts.map((text) => ({ tx: textOf(text) })) })
      : await prefer(app, '/authorizations', token, { type: action, transactions: texts.map(textOf) });
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  expect(answer.headers.get('preference-applied')).toBe('explain');
  expect(await written(app)).toEqual(before);
  expect(app.proxy.count('sendTransaction')).toBe(sent);
  const { transactions } = ExplainResponse.parse(answer.body);
  expect(transactions).toHaveLength(texts.length);
  for (const { rules } of transactions) {
    expect(rules.map(({ rule }) => rule)).toEqual(
      RULES.filter(({ actions }) => actions.includes(action)).map(({ rule }) => rule),
    );
  }
  return transactions;
}

type Explained = Awaited<ReturnType<typeof explainBy>>[number];

/** The rules that failed by themselves, not those that were not checked because of them. */
export const failedRules = (transaction: Explained | undefined) =>
  transaction?.rules
    .filter(({ passed, message }) => !passed && !message.startsWith('not checked'))
    .map(({ rule }) => rule);

/** Puts a valid signature of a fan's wallet into its slot, which only who has the key can make. @returns the slot */
export async function signForWallet(app: ChainApp, wallet: string, bytes: Buffer): Promise<number> {
  const { accountKeys, message } = parseTransaction(bytes);
  const at = accountKeys.findIndex((key) => addressOf(key) === wallet);
  const [key] = await rows<{ sealed: string; sealedWith: string }>(
    app,
    'select sealed_key as sealed, sealed_with as "sealedWith" from wallet where address = $1',
    [wallet],
  );
  if (!key) throw new Error('the fan has a wallet');
  bytes.set(signOtherwise(await app.runtime.custody.open(wallet, key), message), 1 + 64 * at);
  return at;
}

/** The order of Ed25519's group. @see RFC 8032 §5.1 */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

const sha512 = (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();
const numberIn = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** The secret scalar of a seed. @see RFC 8032 §5.1.5 */
function scalarOf(seed: Uint8Array): bigint {
  const bytes = sha512(seed).subarray(0, 32);
  bytes.writeUInt8(bytes.readUInt8(0) & 0xf8, 0);
  bytes.writeUInt8((bytes.readUInt8(31) & 0x7f) | 0x40, 31);
  return numberIn(bytes);
}

/**
 * A valid Ed25519 signature that is not the one which RFC 8032 makes of key and message: its nonce is random. Only who has the key
 * can make one.
 */
function signOtherwise(seed: Uint8Array, message: Uint8Array): Uint8Array {
  const nonce = randomBytes(32);
  const point = publicKeyOfSeed(nonce);
  const challenge = numberIn(sha512(point, publicKeyOfSeed(seed), message));
  const answer = (scalarOf(nonce) + challenge * scalarOf(seed)) % ORDER;
  const bytes = Buffer.from(answer.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([point, bytes]);
}
