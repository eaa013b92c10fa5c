import { addressOf, encodeBase58 } from '@fan-api/solana-wire/base58';
import { parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import type { ChainGateway } from '../../../src/chain/gateway/gateway.ts';
import { landTransaction } from '../../../src/chain/land-transaction.ts';

/** Lands a signed transaction as its partner does. @returns its signature. @throws Error where it does not land */
export async function landBytes(gateway: ChainGateway, bytes: Uint8Array): Promise<string> {
  const { signatures, recentBlockhash } = parseTransaction(bytes);
  const signature = encodeBase58(signatures[0] ?? new Uint8Array());
  const lifetime = { blockhash: addressOf(recentBlockhash), validAt: 0 };
  const landing = await landTransaction(gateway, { signature, bytes, lifetime }, 100_000);
  if (landing.is === 'landed') return signature;
  throw new Error(`${landing.is} ${'reason' in landing ? landing.reason : ''}`);
}
