import { expect, it } from 'vitest';
import type { TransactionStatus } from '../../../src/chain/gateway/read-statuses.ts';
import type { Submission } from '../../../src/chain/gateway/submit-transaction.ts';
import { landTransaction } from '../../../src/chain/land-transaction.ts';

const REFUSED: Submission = { outcome: 'refused', reason: 'no lamports' };
const ACCEPTED: Submission = { outcome: 'accepted' };
const UNKNOWN: TransactionStatus = { state: 'unknown', slot: 300 };

/** Lands a transaction at a node with these answers, the last of them for all further calls. */
async function land(submissions: readonly Submission[], statuses: readonly TransactionStatus[], recent = true) {
  const sent: Uint8Array[] = [];
  let reads = 0;
  const gateway = {
    async submit(bytes: Uint8Array) {
      sent.push(bytes);
      return submissions[Math.min(sent.length, submissions.length) - 1] ?? ACCEPTED;
    },
    blockhash: async () => ({ recent, slot: 300 }),
    async statuses() {
      reads++;
      return [statuses[Math.min(reads, statuses.length) - 1] ?? UNKNOWN];
    },
  };
  const transaction = { signature: 'one', bytes: new Uint8Array([1]), lifetime: { blockhash: 'hash', validAt: 100 } };
  const landing = await landTransaction(gateway, transaction, 3_000);
  return { landing, sent: sent.length };
}

it('lands where the cluster confirms it after a while', async () => {
  const confirmed: TransactionStatus = { state: 'confirmed', slot: 301, final: false };
  const { landing, sent } = await land([ACCEPTED], [UNKNOWN, { ...UNKNOWN }, confirmed]);
  expect(landing).toEqual({ is: 'landed', slot: 301, final: false });
  expect(sent).toBe(1);
});

it('is refused where no node took it', async () => {
  expect(await land([REFUSED], [UNKNOWN])).toEqual({ landing: { is: 'refused', reason: 'no lamports' }, sent: 1 });
});

it('is not refused where a node has it, although another refuses it', async () => {
  const processing: TransactionStatus = { state: 'processing', slot: 300, failing: false };
  const failed: TransactionStatus = { state: 'failed', slot: 301, reason: 'custom program error' };
  const { landing } = await land([REFUSED], [processing, failed]);
  expect(landing).toEqual({ is: 'failed', reason: 'custom program error' });
});

it('is not refused when it is sent again: what was sent before may land', async () => {
  expect(await land([ACCEPTED, REFUSED], [UNKNOWN])).toEqual({ landing: { is: 'open', isSeen: false }, sent: 2 });
});

it('ends once its blockhash is over', async () => {
  expect(await land([ACCEPTED], [UNKNOWN], false)).toEqual({ landing: { is: 'never', slot: 300 }, sent: 1 });
});
