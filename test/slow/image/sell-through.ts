/** What a partner's test does with a sandbox that runs as a service of its CI. */
import { memoryTokenStore, openAuthServer, openFanApi, openSession } from '@fan-api/sdk';
import { confirmed, openTicketProgram, transactionHex } from '@fan-api/sdk/web3';
import { Connection, Keypair } from '@solana/web3.js';
import { expect } from 'vitest';
import { connectSandbox, type SandboxUser } from '../../../packages/sandbox/src/start-sandbox.ts';

/** Two fans sign in; a ticket of one is listed, and sold to the other. Then the state of the beginning is brought back. */
export async function sellThrough(control: string): Promise<void> {
  const sandbox = await connectSandbox(control);
  const redirectUri = 'http://localhost:4000/callback';
  const scope = 'openid offline_access fan:tickets:read fan:listings:write fan:claims:write';
  async function signIn(user: SandboxUser) {
    const authServer = openAuthServer({ issuer: sandbox.issuer, clientId: sandbox.client.id, redirectUri });
    const { url, attempt } = await authServer.startSignIn({ scope });
    const session = openSession({ authServer, store: memoryTokenStore() });
    await session.begin(await authServer.finishSignIn(await sandbox.signIn(user, { url }), attempt));
    return openFanApi({ apiUrl: sandbox.api, session });
  }
  const [seller, buyer] = await Promise.all(sandbox.users.map(signIn));
  const [ticket] = (await seller?.tickets())?.tickets ?? [];
  if (!seller || !buyer || !ticket) throw new Error('the sandbox has no two fans with tickets');
  const connection = new Connection(sandbox.network.rpcUrl, 'confirmed');
  const program = openTicketProgram(connection, sandbox.network.programId);
  const wallet = Keypair.generate();
  const marketplace = wallet.publicKey;
  await confirmed(connection, await connection.requestAirdrop(marketplace, 1_000_000_000));
  const offer = await program.createListing(ticket, { marketplace, lamports: 2_000_000_000n });
  const [signed = ''] = await seller.authorize('list', [transactionHex(await program.prepare(offer, [wallet]))]);
  await program.submit(signed);
  const { listing, lamports } = await program.readPermit(ticket);
  const terms = { listing, lamports, marketplace, destination: await buyer.wallet() };
  const transfer = await program.prepare(program.transferPermit(ticket, terms), [wallet]);
  await buyer.claim([transactionHex(transfer)]);
  expect((await buyer.tickets()).tickets.map(({ id }) => id)).toContain(ticket.id);
  await sandbox.reset();
  expect(await fetch(`${sandbox.api}/tickets`).then(({ status }) => status)).toBe(401);
}
