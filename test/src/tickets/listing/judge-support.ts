import { judgeListingTransactions, type ListingFacts } from '@fan-api/cosign-policy/judge-listing-transactions';
import { expect } from 'vitest';
import {
  AUTHORITY,
  cancelInstruction,
  FAN,
  keyOf,
  legacyBytes,
  listInstruction,
  PAYER,
  PROGRAM_ID,
  type RawMessage,
  rawBytes,
  rawMessage,
  wallet,
} from '../../chain/transaction/build-transaction.ts';

export const OTHER_OF_OURS = wallet('another wallet of the service');
export const LIMIT_CAP = 400_000;
export const PRICE_CAP = 5_000_000n;

export const FACTS: ListingFacts = {
  type: 'list',
  programId: PROGRAM_ID,
  authorities: [keyOf(AUTHORITY)],
  fanWallet: keyOf(FAN),
  ourKeys: new Set([keyOf(OTHER_OF_OURS)]),
};
export const CANCEL: ListingFacts = { ...FACTS, type: 'cancel' };

export const OTHER_PERMIT = wallet('other permit').publicKey.toBase58();

export function judge(bytes: Buffer, facts = FACTS) {
  return judgeListingTransactions([bytes.toString('hex')], facts);
}

/** Judges `bytes` as the third transaction of a request whose others are good, and expects it to be the one refused. */
export async function expectRefused(bytes: Buffer, code: string, message: RegExp, facts = FACTS): Promise<void> {
  const good = (permit: string) =>
    legacyBytes([facts.type === 'list' ? listInstruction(permit) : cancelInstruction(permit)]).toString('base64');
  const permits = [wallet('one'), wallet('two'), wallet('three')].map(keyOf);
  const [one = '', two = '', three = ''] = permits.map(good);
  const judged = judgeListingTransactions([one, two, bytes.toString('hex'), three], facts);
  await expect(judged).rejects.toMatchObject({ name: 'ChainError', code, message: expect.stringMatching(message) });
  await expect(judged).rejects.toThrow(/^transactions\[2\]: /);
}

export function changed(change: (raw: RawMessage) => void, instructions = [listInstruction()]): Buffer {
  const raw = rawMessage(instructions);
  change(raw);
  return rawBytes(raw, PAYER);
}
