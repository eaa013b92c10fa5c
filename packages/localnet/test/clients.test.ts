import * as anchor from '@coral-xyz/anchor';
import idl from '@fan-api/ticket-program/idl.json' with { type: 'json' };
import { LOCAL_ADMIN_SEED } from '@fan-api/ticket-program/local-keys';
import {
  address,
  airdropFactory,
  appendTransactionMessageInstruction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, describe, expect, test } from 'vitest';
import { startHostedNetwork } from './hosted-network.ts';
import { subscribed, until } from './test-network.ts';

const network = await startHostedNetwork();
afterAll(network.remove);

describe('Anchor, unmodified, against the local network', async () => {
  const authority = Keypair.generate();
  const eventId = Buffer.alloc(32, 7);

  const wallet = new anchor.Wallet(await network.funded());
  const provider = new anchor.AnchorProvider(network.connection, wallet, { commitment: 'confirmed' });
  const program = new anchor.Program(idl as anchor.Idl, provider);
  const pda = (...seeds: (string | Uint8Array)[]) =>
    PublicKey.findProgramAddressSync(
      seeds.map((seed) => Buffer.from(seed as string)),
      program.programId,
    )[0];
  const admin = Keypair.fromSeed(LOCAL_ADMIN_SEED);
  await network.connection.requestAirdrop(admin.publicKey, 1_000_000_000);
  await call('initializeV1')
    .accountsPartial({ admin: admin.publicKey, authority: authority.publicKey, payer: wallet.publicKey })
    .signers([admin, authority])
    .rpc();
  const event = pda('event', eventId);
  await call('registerEventV1', [...eventId], new anchor.BN(2_000_000_000))
    .accountsPartial({ event, authority: authority.publicKey, organiser: wallet.publicKey, payer: wallet.publicKey })
    .signers([authority])
    .rpc();

  function call(name: string, ...args: unknown[]) {
    const build = program.methods[name];
    if (!build) throw new Error(`the IDL has no ${name}`);
    return build(...args);
  }

  async function issue(ticket: number, owner: PublicKey): Promise<PublicKey> {
    const ticketId = Buffer.alloc(32, ticket);
    const permit = pda('permit', event.toBytes(), ticketId);
    const payer = program.provider.publicKey;
    await call('issuePermitV1', [...ticketId], owner)
      .accountsPartial({ event, permit, authority: authority.publicKey, payer })
      .signers([authority])
      .rpc();
    return permit;
  }

  test('an event listener of Anchor hears the events of the program', async () => {
    const heard: string[] = [];
    const listeners = (program.idl.events ?? []).map(({ name }) =>
      program.addEventListener(name, () => void heard.push(name)),
    );
    await subscribed(network.connection);
    await issue(4, Keypair.generate().publicKey);
    await until(() => heard.length === 1);
    expect(heard[0]).toMatch(/issued/i);
    for (const listener of listeners) await program.removeEventListener(listener);
  });

  test('Anchor lists the permits of an owner', async () => {
    const owner = Keypair.generate().publicKey;
    const permits = [await issue(6, owner), await issue(7, owner)].map(String).sort();
    await issue(8, Keypair.generate().publicKey);
    const accounts = program.account as Record<
      string,
      { all(filters?: object[]): Promise<{ publicKey: PublicKey; account: { owner: PublicKey } }[]> }
    >;
    const all = (await accounts.permit?.all()) ?? [];
    const own = all.filter(({ account }) => account.owner.equals(owner)).map(({ publicKey }) => String(publicKey));
    expect(own.sort()).toEqual(permits);
    // as an indexer does, by the place of the owner in the account
    const data = (await network.connection.getAccountInfo(new PublicKey(permits[0] ?? '')))?.data ?? Buffer.alloc(0);
    const memcmp = { offset: data.indexOf(owner.toBuffer()), bytes: owner.toBase58() };
    const at = await network.connection.getProgramAccounts(program.programId, { filters: [{ memcmp }] });
    expect(at.map(({ pubkey }) => String(pubkey)).sort()).toEqual(permits);
  });

  test('a cross-program call shows in the inner instructions of getTransaction', async () => {
    const permit = await issue(5, Keypair.generate().publicKey);
    const [{ signature } = { signature: '' }] = await network.connection.getSignaturesForAddress(permit);
    const landed = await network.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const inner = landed?.meta?.innerInstructions ?? [];
    const keys = landed?.transaction.message.getAccountKeys().staticAccountKeys.map(String) ?? [];
    expect(inner).toHaveLength(1);
    expect(keys[inner[0]?.instructions[0]?.programIdIndex ?? -1]).toBe(anchor.web3.SystemProgram.programId.toBase58());
  });
});

test('@solana/kit airdrops, sends, confirms over WebSocket and reads back, unmodified', async () => {
  const rpc = createSolanaRpc(network.url);
  const rpcSubscriptions = createSolanaRpcSubscriptions(`ws://127.0.0.1:${network.port}`);
  const payer = await generateKeyPairSigner();
  const clients = { rpc, rpcSubscriptions } as unknown as Parameters<typeof airdropFactory>[0];
  const airdrop = airdropFactory(clients);
  await airdrop({ recipientAddress: payer.address, lamports: lamports(5_000_000_000n), commitment: 'confirmed' });

  const { value: blockhash } = await rpc.getLatestBlockhash().send();
  const memo = {
    programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
    data: new TextEncoder().encode('hello'),
  };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
    (m) => appendTransactionMessageInstruction(memo, m),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsTransactionWithBlockhashLifetime(transaction);
  await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions } as unknown as Parameters<
    typeof sendAndConfirmTransactionFactory
  >[0])(transaction as Parameters<ReturnType<typeof sendAndConfirmTransactionFactory>>[0], {
    commitment: 'confirmed',
  });

  const signature = getSignatureFromTransaction(transaction);
  const landed = await rpc.getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'json' }).send();
  expect(landed?.meta?.logMessages?.join()).toContain('hello');
  const { value } = await rpc.getAccountInfo(payer.address, { encoding: 'base64' }).send();
  expect(value?.lamports).toBe(5_000_000_000n - 5_000n);
  expect((await rpc.getEpochInfo().send()).absoluteSlot).toBeGreaterThan(0n);
});
