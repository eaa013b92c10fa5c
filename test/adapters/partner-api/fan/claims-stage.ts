import { PublicKey } from '@solana/web3.js';
import { afterEach, expect } from 'vitest';
import { settleDueClaims } from '../../../../src/tickets/claim/settle-due-claims.ts';
import { STORED_CLAIM } from '../../../../src/tickets/claim/statements.ts';
import type { StoredClaim } from '../../../../src/tickets/claim/stored-claim.ts';
import { rows, type TestTicket } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { answerAt, type Fate, type RpcReply } from '../../../support/rpc-proxy.ts';
import { claim, onChain, randomAddress, signatureOf, transfer } from '../../../support/ticket-transactions.ts';

/** What tests of chain §4 do with claims and look at; a claim is named by the bytes of its transfer. */
export async function claimsStage() {
  const stage = await chainStage();
  const { app, market, buyer, nextListed, holder } = stage;
  // the job would wait for them
  afterEach(async () => {
    await rows(
      app,
      `update claim set state = 'failed', next_attempt_at = null where state in ('pending', 'submitted')`,
    );
  });

  /** One more listed ticket, and a transfer of it to the buyer. */
  async function next(): Promise<[TestTicket, Buffer]> {
    const ticket = await nextListed();
    return [ticket, await transfer(app, market, ticket, buyer.wallet_address)];
  }

  /** Columns of a claim's row. */
  async function claimRow<Row extends object>(transaction: Uint8Array, columns: string): Promise<Row | undefined> {
    const sql = `select ${columns} from claim where signature = $1`;
    const [row] = await rows<Row>(app, sql, [signatureOf(transaction)]);
    return row;
  }

  const stateOf = (transaction: Uint8Array) =>
    claimRow<{ state: string; failure: string | null }>(transaction, 'state, failure');

  const auditOf = (transaction: Uint8Array) => stage.audited(signatureOf(transaction));

  /** The claim as a process holds it while it settles it. */
  function openClaims(transaction: Uint8Array) {
    const sql = `select ${STORED_CLAIM} from claim cl join permit p on p.id = cl.permit_id where cl.signature = $1`;
    return rows<StoredClaim>(app, sql, [signatureOf(transaction)]);
  }

  async function expectClaimed(transaction: Uint8Array): Promise<void> {
    const sql =
      'select p.tix_permit_id as permit from claim cl join permit p on p.id = cl.permit_id where signature = $1';
    const [ticket] = await rows<{ permit: string }>(app, sql, [signatureOf(transaction)]);
    if (!ticket) throw new Error('there is no claim');
    expect(await stateOf(transaction)).toEqual({ state: 'confirmed', failure: null });
    expect(await auditOf(transaction)).toEqual(['claim.confirmed']);
    expect(await holder(ticket)).toBe(buyer.wallet_address);
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    const transfers = await app.connection.getSignaturesForAddress(new PublicKey(ticket.permit));
    expect(transfers.filter(({ signature }) => signature === signatureOf(transaction))).toHaveLength(1);
  }

  async function claimUntil(lostRead: number, transactions: Buffer[]) {
    app.proxy.setRule(from(lostRead, 'getSignatureStatuses', 'away'));
    return claim(app, buyer, transactions);
  }

  /** Claims; the cluster goes away between the row and the submission. */
  async function claimUnsent(...transactions: Buffer[]) {
    const answer = await claimUntil(2, transactions);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    app.proxy.reset();
    return answer;
  }

  /** Claims; the cluster goes away after the submission. */
  async function claimUnseen(...transactions: Buffer[]) {
    const answer = await claimUntil(3, transactions);
    expect(app.proxy.count('sendTransaction')).toBe(transactions.length);
    app.proxy.reset();
    return answer;
  }

  /** No node knows the blockhash of the claim. @returns the slot by which the claim was judged */
  async function expireBlockhash(transaction: Uint8Array): Promise<number> {
    const [row] = await rows<{ slot: number }>(
      app,
      'update claim set recent_blockhash = $2 where signature = $1 returning judged_slot::int as slot',
      [signatureOf(transaction), randomAddress()],
    );
    if (!row) throw new Error('there is no claim');
    return row.slot;
  }

  /** The job, for all claims that are open. */
  const settle = () => settleDueClaims(app.context(), 0);

  async function settleLater(): Promise<void> {
    app.advance(60);
    await settle();
    app.resetClock();
  }

  /** @param code undefined for 200 */
  async function expectAnswer(answer: Awaited<ReturnType<typeof claim>>, status: number, code?: string) {
    const { status: given, headers } = answer;
    expect({ status: given, code: headers.get('x-error-code') }).toEqual({ status, code: code ?? null });
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }

  const claiming = { claimRow, stateOf, auditOf, openClaims, expectClaimed, expectAnswer };
  return { ...stage, ...claiming, next, claimUnsent, claimUnseen, expireBlockhash, settle, settleLater };
}

/** The n-th call of a method, and all after it, meet this fate. */
export function from(nth: number, method: string, fate: Fate) {
  let seen = 0;
  return (call: { method: string }): Fate => {
    if (call.method === method) seen += 1;
    return seen >= nth && call.method === method ? fate : 'pass';
  };
}

/** The statuses as a node gives them before the cluster has confirmed anything. @param err of the transaction */
export const processed =
  (err?: unknown) =>
  (reply: RpcReply): RpcReply => {
    const result = reply.result as { context: { slot: number }; value: (object | null)[] };
    const seen = { slot: result.context.slot, confirmations: 0, status: { Ok: null }, err: null };
    const value = result.value.map((status) => ({
      ...(status ?? seen),
      ...(err === undefined ? {} : { err }),
      confirmationStatus: 'processed',
    }));
    return { result: { ...result, value } };
  };

/** The reply to a question for one status. */
export function decided(err: unknown = null, slot = 1): Fate {
  return answerAt(slot, [{ slot, confirmations: null, err, confirmationStatus: 'confirmed' }]);
}
