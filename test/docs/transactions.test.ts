import { createServer } from 'node:http';
import { COMPUTE_CAPS } from '@fan-api/cosign-policy/compute-budget';
import { instructionOf } from '@fan-api/cosign-policy/read-instruction';
import {
  ACCOUNT_DISCRIMINATORS,
  ACCOUNTS,
  FIELD_SIZES,
  INSTRUCTION_DISCRIMINATORS,
  type Layout,
} from '@fan-api/ticket-program/description';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { rpc } from '../../packages/localnet/test/test-network.ts';
import { listen } from '../support/listen.ts';
import { callFan } from '../support/partner.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { readPage } from './page-samples.ts';
import { permitOf, readPermit, type Ticket } from './partner/ticket-accounts.ts';
import { authorize, callFanApi, claim, prepare, submit } from './partner/trade.ts';
import { cancelWithAnchor, listWithAnchor, openProgram, transferWithAnchor } from './partner/with-anchor.ts';
import { cancelByHand, listByHand, transferByHand } from './partner/with-web3.ts';

const page = readPage('transactions');

const app = await testChainApp();

const ticketsOf = async (token: string) =>
  (await callFan(app, '/tickets', token)).body.tickets as (Ticket & { id: string })[];

/** The parties of a sale: the seller's first ticket, both tokens, a marketplace with funds. */
async function openSale() {
  const [seller, buyer] = app.users;
  const sellerToken = (await seller.tokens()).access_token;
  const buyerToken = (await buyer.tokens()).access_token;
  const [ticket] = await ticketsOf(sellerToken);
  if (!ticket) throw new Error('the seller has no ticket');
  return {
    ticket,
    sellerToken,
    buyerToken,
    destination: buyer.wallet_address,
    marketplace: await app.network.funded(),
  };
}

/** The tables of the page: each row as its cells, code marks taken off. */
function rowsOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('Anchor and the bytes by hand give the same instructions, and they list, cancel, list again, sell and claim', async () => {
  const { ticket, sellerToken, buyerToken, destination, marketplace } = await openSale();
  const { connection, config } = app;
  const program = await openProgram(app.origin, connection);
  const { programId } = program;
  const market = marketplace.publicKey;
  const permit = permitOf(programId, ticket);
  const sign = async (type: 'list' | 'cancel', instruction: Parameters<typeof prepare>[2]) => {
    const [signed = ''] = await authorize(config.apiUrl, sellerToken, type, [
      await prepare(connection, marketplace, instruction),
    ]);
    return submit(connection, signed);
  };

  const list = await listByHand(connection, programId, ticket, market, 5n);
  expect(list).toEqual(await listWithAnchor(program, ticket, market, 5n));
  await sign('list', list);
  expect(await readPermit(connection, permit)).toMatchObject({ listed: true, lamports: 5n, listing: 1n });
  const cancel = await cancelByHand(connection, programId, ticket);
  expect(cancel).toEqual(await cancelWithAnchor(program, ticket));
  await sign('cancel', cancel);
  expect((await readPermit(connection, permit)).listed).toBe(false);

  // the same terms within one blockhash would be the same transaction, which the network runs once
  const listed = await sign('list', await listByHand(connection, programId, ticket, market, 6n));
  expect(await returnedBy(listed)).toEqual({ programId: programId.toBase58(), number: 2n });
  const terms = { listing: 2n, lamports: 6n };
  const transfer = transferByHand(programId, ticket, terms, market, destination);
  expect(transfer).toEqual(await transferWithAnchor(program, ticket, terms, market, destination));
  const prepared = await prepare(connection, marketplace, transfer);
  const first = await claim(config.apiUrl, buyerToken, [prepared]);
  expect(first[0]).toMatchObject({
    tix_permit_id: permit.toBase58(),
    ticket_id: ticket.id,
    signer_wallet: market.toBase58(),
    destination_wallet: destination,
  });
  expect(await claim(config.apiUrl, buyerToken, [prepared])).toEqual(first);
  expect((await readPermit(connection, permit)).owner.toBase58()).toBe(destination);
  expect((await ticketsOf(buyerToken)).some(({ id }) => id === ticket.id)).toBe(true);
});

/** What the transaction returned, as the page says: the number of its listing. */
async function returnedBy(signature: string) {
  const params = [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }];
  const { result } = await rpc(app.network.url, 'getTransaction', params);
  const { programId, data } = (result as { meta: { returnData: { programId: string; data: [string, string] } } }).meta
    .returnData;
  return { programId, number: Buffer.from(data[0], 'base64').readBigUInt64LE() };
}

test('a refusal is told by its code and its place', async () => {
  const { ticket, sellerToken, marketplace } = await openSale();
  const program = await openProgram(app.origin, app.connection);
  const list = await prepare(
    app.connection,
    marketplace,
    await listWithAnchor(program, ticket, marketplace.publicKey, 1n),
  );
  await expect(authorize(app.config.apiUrl, sellerToken, 'cancel', [list])).rejects.toThrow(
    /^400 wrong_instruction: transactions\[0\]: /,
  );
});

test('the example sends the same again after 429 and 503, when it was told to', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response
      .writeHead(calls === 1 ? 503 : calls === 2 ? 429 : 200, { 'retry-after': '0' })
      .end('{"transactions":["ab"]}');
  });
  const { url, stop } = await listen(server);
  const answer = await callFanApi(url, 'token', '/authorizations', {});
  await stop();
  expect(answer).toEqual({ transactions: ['ab'] });
  expect(calls).toBe(3);
});

test('the bytes and accounts of each instruction are those of the program', () => {
  const instructions = rowsOf('Bytes by hand');
  expect(instructions.map(([name]) => name)).toEqual(['create_listing_v1', 'cancel_listing_v1', 'transfer_permit_v1']);
  for (const [name, discriminator, args, accounts] of instructions) {
    const described = instructionOf(name as 'create_listing_v1');
    expect(discriminator).toBe(
      Buffer.from(INSTRUCTION_DISCRIMINATORS[described.name as 'create_listing_v1']).toString('hex'),
    );
    expect(args).toBe(described.args.map((arg) => `${arg.name}: ${arg.type}`).join(', ') || 'none');
    const flags = described.accounts.map(
      (slot) => `${slot.name}${slot.writable ? ' (writable)' : ''}${slot.signer ? ' (signer)' : ''}`,
    );
    expect(accounts).toBe(flags.join(', '));
  }
});

test('the layout of each account is that of the program', () => {
  const accounts = rowsOf('Account layouts');
  expect(accounts.map(([name]) => name)).toEqual(ACCOUNTS.map(({ name }) => name));
  for (const [index, [name, discriminator, bytes, fields]] of accounts.entries()) {
    const layout: Layout = ACCOUNTS[index] ?? ACCOUNTS[0];
    expect(discriminator).toBe(Buffer.from(ACCOUNT_DISCRIMINATORS[layout.name as 'Permit']).toString('hex'));
    let at = 8;
    const placed = layout.fields.map((field) => {
      const text = `${field.name} (${at})`;
      at += FIELD_SIZES[field.type];
      return text;
    });
    expect([name, fields, Number(bytes)]).toEqual([name, placed.join(', '), at]);
  }
});

test('the caps of the compute budget are those that are enforced', () => {
  expect(page).toContain(`${COMPUTE_CAPS.computeUnitLimitCap.toLocaleString('en')} units`);
  expect(page).toContain(`${COMPUTE_CAPS.computeUnitPriceCap.toLocaleString('en')} micro-lamports`);
});

test('the wallet of a fan without tickets is named by the refusal of a wrong destination', async () => {
  const { ticket, buyerToken, destination, marketplace } = await openSale();
  const program = await openProgram(app.origin, app.connection);
  const elsewhere = Keypair.generate().publicKey.toBase58();
  const terms = { listing: 1n, lamports: 1n };
  const sale = await transferWithAnchor(program, ticket, terms, marketplace.publicKey, elsewhere);
  const transfer = await prepare(app.connection, marketplace, sale);
  await expect(claim(app.config.apiUrl, buyerToken, [transfer])).rejects.toThrow(
    `400 wrong_account: tickets[0].tx: the ticket instruction names the declared accounts in the declared order (destination is ${elsewhere}, not ${destination})`,
  );
  expect(() => new PublicKey(destination)).not.toThrow();
});
