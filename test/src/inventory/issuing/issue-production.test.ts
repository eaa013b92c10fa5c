import { eventAddress, permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHostedNetwork } from '../../../../packages/localnet/test/hosted-network.ts';
import type { TestNetwork } from '../../../../packages/localnet/test/test-network.ts';
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
import { startApp, type TestApp } from '../../../support/start-app.ts';
import { signerOf } from '../../chain/cluster/test-cluster.ts';

/** Production permits, on a cluster with a program and an admin of its own. */
let app: TestApp;
let network: TestNetwork;
const program = Keypair.generate();
const programId = program.publicKey.toBase58();
beforeAll(async () => {
  network = await startHostedNetwork({ withProgram: false });
  app = await startApp({ env: { PRODUCTION_RPC_URL: network.url, PRODUCTION_PROGRAM_ID: programId } });
  const cluster = await openCluster(app.context(), 'production');
  await network.connection.requestAirdrop(new PublicKey(cluster.payer), 10 * LAMPORTS_PER_SOL);
  const admin = signerOf(Keypair.generate());
  const options = { code: readProgramCode(), admin, program: signerOf(program), report: () => {} };
  await deployProgram(cluster, app.runtime.signer, options);
  await initializeProgram(cluster, app.runtime.signer, admin);
  app.runtime.chains = { production: { ...cluster, publicRpcUrl: null } };
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await network?.remove();
});

/** A fan with a wallet and tickets of a new event, as an import makes them. */
async function imported(count: number, { wallet = true } = {}) {
  const context = app.context();
  const { em, now } = context;
  const fan = em.create(Fan, {
    mode: 'production',
    phone: `+1202555${Math.floor(Math.random() * 9_000) + 1_000}`,
    createdAt: now(),
  });
  if (wallet) await createWallet(context, fan);
  const id = newId('evt');
  const { address: tixEventId } = eventAddress(programId, onchainEventId(id));
  const startsAt = new Date(Date.now() + 86_400_000);
  const event = em.create(Event, {
    id,
    mode: 'production',
    name: `Event ${id}`,
    venue: null,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3_600_000),
    tixEventId,
    createdAt: now(),
  });
  const ticketType = em.create(TicketType, { event, name: 'Standing' });
  const permits = Array.from({ length: count }, () => {
    const ticketId = newId('tkt');
    const ticket = em.create(Ticket, {
      id: ticketId,
      ticketType,
      owner: fan,
      tixTicketId: tixTicketId(ticketId),
      purchasedAt: now(),
    });
    const { address } = permitAddress(programId, tixEventId, onchainTicketId(ticketId));
    return em.create(Permit, { ticket, partner: null, tixPermitId: address, createdAt: now() });
  });
  await em.flush();
  return { fan, event, permits, addresses: permits.map(({ tixPermitId }) => tixPermitId) };
}

const gateway = () => {
  const { production } = app.runtime.chains;
  if (!production) throw new Error('production has a chain');
  return production.gateway;
};

describe('permits of production', () => {
  it('rows that an import made come onto the chain by the same code, each with its holder’s wallet', async () => {
    const { addresses } = await imported(16);
    await putOnchain(app.context(), 'production');
    const permits = await gateway().permits(addresses);
    expect(permits.map((permit) => permit && 'state' in permit && permit.state)).toEqual(addresses.map(() => 'held'));
    const [today] = await readCosts(app.context(), 'production', 1);
    expect(today).toMatchObject({ events: 1, permits: 16, transactions: 3, lost: 0 });
    expect(await readCosts(app.context(), 'sandbox', 1)).toEqual([]);
  });

  it('a holder without a wallet waits until there is one, and holds up nobody', async () => {
    const { fan, addresses } = await imported(1, { wallet: false });
    const { addresses: others } = await imported(2);
    await putOnchain(app.context(), 'production');
    expect((await gateway().permits(others)).every(Boolean)).toBe(true);
    expect(await gateway().permits(addresses)).toEqual([undefined]);
    const context = app.context();
    await createWallet(context, await context.em.findOneOrFail(Fan, { id: fan.id }));
    await context.em.flush();
    await putOnchain(app.context(), 'production');
    expect((await gateway().permits(addresses)).every(Boolean)).toBe(true);
  });

  it('a permit that was revoked before its turn is not issued; restored, it is', async () => {
    const { permits, addresses } = await imported(2);
    const { em, now } = app.context();
    const [revoked] = permits;
    await em.nativeUpdate(Permit, { id: revoked?.id ?? newId('perm') }, { revokedAt: now() });
    await putOnchain(app.context(), 'production');
    expect((await gateway().permits(addresses)).map((permit) => permit !== undefined)).toEqual([false, true]);
    await em.nativeUpdate(Permit, { id: revoked?.id ?? newId('perm') }, { revokedAt: null });
    await putOnchain(app.context(), 'production');
    expect((await gateway().permits(addresses)).every(Boolean)).toBe(true);
  });
});
