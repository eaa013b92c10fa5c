import { afterAll, beforeAll, expect, it } from 'vitest';
import { editClient } from '../../src/client/edit-client.ts';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { ClientReview } from '../../src/entities/client.ts';
import { DomainError } from '../../src/errors.ts';
import { registerPartner, renamePartner } from '../../src/partner/register-partner.ts';
import { ANN, BOB, clientAt, EVE, readClient, step } from '../src/client/production-client.ts';
import { startTwoProcesses, type TwoProcesses } from './two-processes.ts';

const ROUNDS = 5;
let both: TwoProcesses;
beforeAll(async () => {
  both = await startTwoProcesses();
});
afterAll(() => both.stop());

/** Runs all at once. @returns the index of each that succeeded; every other one was refused in words */
async function winners(works: (() => Promise<unknown>)[]): Promise<number[]> {
  const results = await Promise.allSettled(works.map((work) => work()));
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof DomainError)) throw result.reason;
  }
  return results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
}

it('of an approval, a rejection and an edit of one version at once, in two processes, exactly one counts', async () => {
  const { one, two } = both;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, version } = await clientAt(one, 'in_review');
    const won = await winners([
      () => step(one, 'approve', id, BOB, { version }),
      () => step(two, 'reject', id, EVE, { version }),
      () => editClient(two.context(), { clientId: id, version, changes: { scopes: ['openid'] } }, ANN),
      () => step(two, 'approve', id, EVE, { version }),
    ]);
    expect(won).toHaveLength(1);
    const { status } = await readClient(one, id);
    expect(status).toBe(['approved', 'rejected', 'in_review', 'approved'][won[0] ?? -1]);
    const { em } = one.context();
    const actions = ['client.approved', 'client.rejected', 'client.edited'];
    expect(await em.count(AuditEntry, { subject: id, action: { $in: actions } })).toBe(1);
    expect(await em.count(ClientReview, { client: id, decision: null })).toBe(status === 'in_review' ? 1 : 0);
  }
});

it('many submissions and withdrawals at once leave one review or none open, as the status says', async () => {
  const { one, two } = both;
  const { id } = await clientAt(one, 'draft');
  for (let round = 0; round < ROUNDS; round += 1) {
    await winners([
      () => step(one, 'submit', id, ANN),
      () => step(two, 'submit', id, EVE),
      () => step(one, 'withdraw', id, ANN),
      () => step(two, 'withdraw', id, EVE),
    ]);
    const { status } = await readClient(one, id);
    expect(await one.context().em.count(ClientReview, { client: id, decision: null })).toBe(
      status === 'in_review' ? 1 : 0,
    );
  }
});

it('a client is never enabled with what an edit at the same moment put in', async () => {
  const { one, two } = both;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, version, redirectUris } = await clientAt(one, 'approved');
    const changes = { redirectUris: ['https://evil.example/'] };
    await winners([
      () => step(one, 'enable', id, BOB),
      () => editClient(two.context(), { clientId: id, version, changes, confirmReview: true }, EVE),
    ]);
    const client = await readClient(one, id);
    expect([client.status, client.redirectUris]).toEqual(
      client.status === 'enabled' ? ['enabled', redirectUris] : ['in_review', changes.redirectUris],
    );
  }
});

it('two partners that take one name at once: one has it, the other learns so', async () => {
  const context = both.one.context();
  const partners = [await registerPartner(context, 'Left', ANN), await registerPartner(context, 'Right', ANN)];
  await context.em.flush();
  const apps = [both.one, both.two];
  const won = await winners(
    partners.map(
      ({ id }, index) =>
        () =>
          renamePartner((apps[index] ?? both.one).context(), id, 'Middle', ANN),
    ),
  );
  expect(won).toHaveLength(1);
});
