import { eventAddress, permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, expect, it } from 'vitest';
import { startHostedNetwork } from '../../../../packages/localnet/test/hosted-network.ts';
import { deployProgram } from '../../../../src/chain/cluster/deploy-program.ts';
import { initializeProgram } from '../../../../src/chain/cluster/initialize-program.ts';
import { openCluster } from '../../../../src/chain/cluster/open-cluster.ts';
import { createWallet } from '../../../../src/chain/wallet/create-keys.ts';
import { Event } from '../../../../src/entities/event.ts';
import { Fan } from '../../../../src/entities/fan.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { Ticket, TicketType } from '../../../../src/entities/ticket.ts';
import { putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { readCosts } from '../../../../src/inventory/issuing/read-costs.ts';
import { newId } from '../../../../src/platform/identifier/type-id.ts';
import { onchainEventId, onchainTicketId, tixTicketId } from '../../../../src/tickets/ticket/onchain-ids.ts';
import { testApp } from '../../../support/test-app.ts';
import { signerOf } from '../../chain/cluster/test-cluster.ts';

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

/** A fan with a wallet and tickets of a new event, as an import makes them. */
async function imported(count: number, { wallet = true } = {}) {
  const context = app.context();
  const { em, now } = context;
  const phone = `+1202555${Math.floor(Math.random() * 9_000) + 1_000}`;
  const fan = em.create(Fan, { mode: 'production', phone, createdAt: now() });
  if (wallet) await createWallet(context, fan);
  const id = newId('evt');
  const { address: tixEventId } = eventAddress(programId, onchainEventId(id));
  const startsAt = new Date(Date.now() + 86_400_000);
  const times = { startsAt, endsAt: new Date(startsAt.getTime() + 3_600_000), createdAt: now() };
  const event = em.create(Event, { id, mode: 'production', name: `Event ${id}`, venue: null, tixEventId, ...times });
  const ticketType = em.create(TicketType, { event, name: 'Standing' });
  const permits = Array.from({ length: count }, () => {
    const id = newId('tkt');
    const owned = { owner: fan, purchasedAt: now() };
    const ticket = em.create(Ticket, { id, ticketType, tixTicketId: tixTicketId(id), ...owned });
    const { address } = permitAddress(programId, tixEventId, onchainTicketId(id));
    return em.create(Permit, { ticket, partner: null, tixPermitId: address, createdAt: now() });
  });
  await em.flush();
  return { fan, event, permits, addresses: permits.map(({ tixPermitId }) => tixPermitId) };
}

const issue = () => putOnchain(app.context(), 'production');
/** Which permits are on the cluster. */
const onCluster = async (addresses: string[]) => (await chain.gateway.permits(addresses)).map(Boolean);

it('rows of production that an import made come onto the chain by the same code, each with its holder’s wallet', async () => {
  const { addresses } = await imported(16);
  await issue();
  expect(await chain.gateway.permits(addresses)).toMatchObject(addresses.map(() => ({ state: 'held' })));
  const [today] = await readCosts(app.context(), 'production', 1);
  expect(today).toMatchObject({ events: 1, permits: 16, transactions: 3, lost: 0 });
  expect(await readCosts(app.context(), 'sandbox', 1)).toEqual([]);
});

it('a holder without a wallet waits until there is one, and holds up nobody', async () => {
  const { fan, addresses } = await imported(1, { wallet: false });
  const { addresses: others } = await imported(2);
  await issue();
  expect(await onCluster(others)).toEqual([true, true]);
  expect(await onCluster(addresses)).toEqual([false]);
  const context = app.context();
  await createWallet(context, await context.em.findOneOrFail(Fan, { id: fan.id }));
  await context.em.flush();
  await issue();
  expect(await onCluster(addresses)).toEqual([true]);
});

it('a permit that was revoked before its turn is not issued; restored, it is', async () => {
  const { permits, addresses } = await imported(2);
  const { em, now } = app.context();
  const [revoked] = permits;
  await em.nativeUpdate(Permit, { id: revoked?.id ?? newId('perm') }, { revokedAt: now() });
  await issue();
  expect(await onCluster(addresses)).toEqual([false, true]);
  await em.nativeUpdate(Permit, { id: revoked?.id ?? newId('perm') }, { revokedAt: null });
  await issue();
  expect(await onCluster(addresses)).toEqual([true, true]);
});
