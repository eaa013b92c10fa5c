import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, expect, it } from 'vitest';
import { startHostedNetwork } from '../../../../packages/localnet/test/hosted-network.ts';
import { deployProgram } from '../../../../src/chain/cluster/deploy-program.ts';
import { initializeProgram } from '../../../../src/chain/cluster/initialize-program.ts';
import { openCluster } from '../../../../src/chain/cluster/open-cluster.ts';
import { createWallet } from '../../../../src/chain/wallet/create-keys.ts';
import type { Fan } from '../../../../src/entities/fan.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { Wallet } from '../../../../src/entities/wallet.ts';
import { putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { readCosts } from '../../../../src/inventory/issuing/read-costs.ts';
import { testApp } from '../../../support/test-app.ts';
import { signerOf } from '../../chain/cluster/test-cluster.ts';
import { apply, newEvent, ticketRow } from '../stage.ts';

/** Production permits, on a cluster with a program and an admin of its own. */
const program = Keypair.generate();
const programId = program.publicKey.toBase58();
const network = await startHostedNetwork({ withProgram: false });
afterAll(() => network.remove());
const app = await testApp({ env: { PRODUCTION_RPC_URL: network.url, PRODUCTION_PROGRAM_ID: programId } });
const chain = { ...(await openCluster(app.context(), 'production')), publicRpcUrl: null };
await network.connection.requestAirdrop(new PublicKey(chain.payer), 10 * LAMPORTS_PER_SOL);
const admin = signerOf(Keypair.generate());
const options = { code: readProgramCode(), admin, program: signerOf(program), report: () => {} };
await deployProgram(chain, app.runtime.signer, options);
await initializeProgram(chain, app.runtime.signer, admin);
app.runtime.chains = { production: chain };

/** Tickets of a new event and a new holder. @returns the addresses of their permits */
async function imported(count: number): Promise<string[]> {
  const { event, type, rows: before } = newEvent();
  const holder_phone = `+1202555${String(++holders).padStart(4, '0')}`;
  const tickets = Array.from({ length: count }, (_, at) => ticketRow(event, type, `${event}-${at}`, { holder_phone }));
  await apply(app, [...before, ...tickets]);
  const permits = await app.context().em.find(Permit, { ticket: { ticketType: { event: { reference: event } } } });
  return permits.map(({ tixPermitId }) => tixPermitId);
}
let holders = 100;

const issue = () => putOnchain(app.context(), 'production');
/** Which permits are on the cluster. */
const onCluster = async (addresses: string[]) => (await chain.gateway.permits(addresses)).map(Boolean);

it('rows of production that an import made come onto the chain by the same code, each with its holder’s wallet', async () => {
  const addresses = await imported(16);
  await issue();
  expect(await chain.gateway.permits(addresses)).toMatchObject(addresses.map(() => ({ state: 'held' })));
  const [today] = await readCosts(app.context(), 'production', 1);
  expect(today).toMatchObject({ events: 1, permits: 16, transactions: 3, lost: 0 });
  expect(await readCosts(app.context(), 'sandbox', 1)).toEqual([]);
});

it('a holder without a wallet waits until there is one, and holds up nobody', async () => {
  const [addresses, others] = [await imported(1), await imported(2)];
  const context = app.context();
  const { ticket } = await context.em.findOneOrFail(Permit, { tixPermitId: addresses }, { populate: ['ticket.owner'] });
  const fan = ticket.owner as Fan;
  await context.em.nativeDelete(Wallet, { fan });
  await issue();
  expect(await onCluster(others)).toEqual([true, true]);
  expect(await onCluster(addresses)).toEqual([false]);
  await createWallet(context, fan);
  await context.em.flush();
  await issue();
  expect(await onCluster(addresses)).toEqual([true]);
});

it('a permit that was revoked before its turn is not issued; restored, it is', async () => {
  const addresses = await imported(2);
  const { em, now } = app.context();
  const [tixPermitId = ''] = addresses;
  await em.nativeUpdate(Permit, { tixPermitId }, { revokedAt: now() });
  await issue();
  expect(await onCluster(addresses)).toEqual([false, true]);
  await em.nativeUpdate(Permit, { tixPermitId }, { revokedAt: null });
  await issue();
  expect(await onCluster(addresses)).toEqual([true, true]);
});
