import anchor from '@coral-xyz/anchor';
import type { ListingAction } from '@fan-api/cosign-policy/actions';
import { judgeClaimTransactions } from '@fan-api/cosign-policy/judge-claim-transactions';
import { judgeListingTransactions } from '@fan-api/cosign-policy/judge-listing-transactions';
import { permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { decodeAccount } from '@fan-api/cosign-policy/read-account';
import { fillSignatures } from '@fan-api/cosign-policy/signatures';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { signEd25519 } from '@fan-api/solana-wire/ed25519';
import { PERMIT_STATES } from '@fan-api/ticket-program/description';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { getTransactionDecoder } from '@solana/kit';
import { type Keypair, Transaction, type TransactionInstruction } from '@solana/web3.js';
import { FailedTransactionMetadata } from 'litesvm';
import { expect, test } from 'vitest';
import {
  EVENT,
  PERMIT,
  PRICE,
  startWithPermit,
  TICKET_ID,
  type TicketVm,
} from '../../../../packages/ticket-program/test/ticket-vm.ts';
import { computeLimit, computePrice, keyOf, seedOf } from '../../chain/transaction/build-transaction.ts';

const LIMITS = { computeUnitLimitCap: 200_000, computeUnitPriceCap: 1_000_000n };

/** A legacy transaction as a partner sends it: its fee payer and `signers` have signed. */
function partnerTransaction(vm: TicketVm, instruction: TransactionInstruction, signers: Keypair[] = []): string {
  vm.svm.expireBlockhash();
  const transaction = new Transaction({ feePayer: vm.stranger.publicKey, recentBlockhash: vm.svm.latestBlockhash() });
  transaction.add(computeLimit(50_000), computePrice(1n), instruction).partialSign(vm.stranger, ...signers);
  return transaction.serialize({ requireAllSignatures: false }).toString('hex');
}

/** What the service does between judging and answering. */
async function cosign(vm: TicketVm, type: ListingAction, text: string): Promise<string> {
  const facts = {
    type,
    programId: LOCAL_PROGRAM_ID,
    authorities: [keyOf(vm.authority)],
    fanWallet: keyOf(vm.owner),
    ourKeys: new Set<string>(),
  };
  const [judged] = await judgeListingTransactions([text], { ...facts, ...LIMITS });
  if (judged === undefined) throw new Error('no judgement');
  return fillSignatures(judged.transaction, [
    { index: judged.slots.fanWallet, signature: await signEd25519(seedOf(vm.owner), judged.messageBytes) },
    { index: judged.slots.authority, signature: await signEd25519(seedOf(vm.authority), judged.messageBytes) },
  ]);
}

function submit(vm: TicketVm, hex: string): void {
  const result = vm.svm.sendTransaction(getTransactionDecoder().decode(Buffer.from(hex, 'hex')));
  if (result instanceof FailedTransactionMetadata) throw new Error(result.meta().logs().join('\n'));
}

function permitOf(vm: TicketVm) {
  return decodeAccount('Permit', vm.account(PERMIT)?.data ?? new Uint8Array());
}

test('chain §3, §4: what anchor builds and the judgement accepts, the program executes: list, cancel, list, transfer', async () => {
  const vm = await startWithPermit();
  const parties = { permit: PERMIT, owner: vm.owner.publicKey, authority: vm.authority.publicKey };
  const listing = () =>
    vm.build('createListingV1', [new anchor.BN(PRICE.toString())], {
      ...parties,
      marketplace: vm.marketplace.publicKey,
    });
  expect(permitAddress(LOCAL_PROGRAM_ID, EVENT.toBase58(), TICKET_ID).address).toBe(PERMIT.toBase58());

  submit(vm, await cosign(vm, 'list', partnerTransaction(vm, await listing())));
  expect(permitOf(vm)).toMatchObject({ state: PERMIT_STATES.listed, marketplace: keyOf(vm.marketplace), price: PRICE });

  const cancelling = await vm.build('cancelListingV1', [], parties);
  submit(vm, await cosign(vm, 'cancel', partnerTransaction(vm, cancelling)));
  expect(permitOf(vm)).toMatchObject({ state: PERMIT_STATES.held, owner: keyOf(vm.owner), price: 0n });

  submit(vm, await cosign(vm, 'list', partnerTransaction(vm, await listing())));
  const transferring = await vm.build('transferPermitV1', [], {
    permit: PERMIT,
    transferAuthority: vm.marketplace.publicKey,
    destination: vm.buyer.publicKey,
  });
  const text = partnerTransaction(vm, transferring, [vm.marketplace]);
  const facts = {
    programId: LOCAL_PROGRAM_ID,
    fanWallet: keyOf(vm.buyer),
    ourKeys: new Set([keyOf(vm.authority)]),
    ...LIMITS,
  };
  const [claim] = await judgeClaimTransactions([text], facts);
  expect(claim?.signature).toBe(encodeBase58(Buffer.from(text, 'hex').subarray(1, 65)));
  submit(vm, Buffer.from(claim?.bytes ?? []).toString('hex'));
  expect(permitOf(vm)).toMatchObject({ state: PERMIT_STATES.held, owner: keyOf(vm.buyer), event: EVENT.toBase58() });
});
