import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, encodeBase58 } from '@fan-api/solana-wire/base58';
import { parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import type { ChainGateway } from '../gateway/gateway.ts';
import { SetupError } from './setup-error.ts';

type LandingGateway = Pick<ChainGateway, 'submit' | 'statuses' | 'blockhash'>;

const POLL_MS = 500;
/** A leader may drop a transaction: the same bytes are sent again, and land once. */
const RESEND_MS = 2_500;
/** A blockhash is valid for about a minute, a durable nonce for longer. */
const PATIENCE_MS = 100_000;

/**
 * Sends a signed transaction until it is confirmed.
 * @param bytes as signed; sending them again is safe at any time
 * @param durable it names a nonce in place of a blockhash
 * @returns its signature
 * @throws SetupError where the cluster refuses it, its blockhash expires, or it is not confirmed in time
 */
export async function landTransaction(gateway: LandingGateway, bytes: Uint8Array, durable = false): Promise<string> {
  const { signatures, recentBlockhash } = parseTransaction(bytes);
  const signature = encodeBase58(signatures[0] ?? new Uint8Array());
  const blockhash = addressOf(recentBlockhash);
  const started = performance.now();
  let sentAt = Number.NEGATIVE_INFINITY;
  let refusal: string | undefined;
  while (performance.now() - started < PATIENCE_MS) {
    if (performance.now() - sentAt >= RESEND_MS) {
      const submission = await gateway.submit(bytes);
      refusal = submission.outcome === 'refused' ? submission.reason : undefined;
      sentAt = performance.now();
    }
    const [status] = await gateway.statuses([signature]);
    if (status?.state === 'confirmed') return signature;
    if (status?.state === 'failed') throw new SetupError(`The transaction ${signature} failed: ${status.reason}`);
    if (status?.state === 'unknown') {
      if (refusal !== undefined) throw new SetupError(`The cluster refused the transaction: ${refusal}`);
      const { recent } = durable ? { recent: true } : await gateway.blockhash(blockhash, status.slot);
      if (!recent) throw new SetupError('The transaction expired before it landed. Repeat the command.');
    }
    await sleep(POLL_MS);
  }
  throw new SetupError(`The transaction ${signature} was not confirmed in time. Repeat the command: it looks first.`);
}
