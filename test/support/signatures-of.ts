import { instructionNameOf } from '@fan-api/cosign-policy/read-instruction';
import { type Connection, PublicKey } from '@solana/web3.js';

/** Signatures of the transactions that name a permit: those that the network ran without an error, and the others. */
export async function signaturesOf(
  connection: Connection,
  permit: string,
): Promise<{ ran: string[]; failed: string[] }> {
  const found = { ran: [] as string[], failed: [] as string[] };
  let before: string | undefined;
  for (;;) {
    const page = await connection.getSignaturesForAddress(new PublicKey(permit), { ...(before && { before }) });
    if (page.length === 0) return found;
    before = page.at(-1)?.signature;
    for (const { signature, err } of page) (err === null ? found.ran : found.failed).push(signature);
  }
}

/** Every effective transfer of a permit that the network ran, by signature. */
export async function transfersOf(connection: Connection, permit: string): Promise<string[]> {
  const found: string[] = [];
  for (const signature of (await signaturesOf(connection, permit)).ran) {
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const instructions = landed?.transaction.message.compiledInstructions ?? [];
    const names = instructions.map(({ data }) => instructionNameOf(data));
    if (names.includes('transfer_permit_v1')) found.push(signature);
  }
  return found;
}
