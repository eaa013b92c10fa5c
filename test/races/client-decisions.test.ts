import { expect, it } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { ClientReview } from '../../src/entities/client.ts';
import { editClient } from '../../src/partners/client/edit-client.ts';
import { registerPartner, renamePartner } from '../../src/partners/partner/register-partner.ts';
import { DomainError } from '../../src/platform/errors.ts';
import {
  ANN,
  BOB,
  clientAt,
  EVE,
  edit,
  readClient,
  restore,
  reviewsOf,
  step,
} from '../src/partners/client/production-client.ts';
import type { TestApp } from '../support/start-app.ts';
import { testTwoProcesses } from './two-processes.ts';

const ROUNDS = 5;
const { one, two } = await testTwoProcesses();

/** Runs all at once. @returns the index of each that succeeded; every other one was refused in words */
async function winners(works: (() => Promise<unknown>)[]): Promise<number[]> {
  const results = await Promise.allSettled(works.map((work) => work()));
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof DomainError)) throw result.reason;
  }
  return results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
}

it('of an approval, a rejection and an edit of one version at once, in two processes, exactly one counts', async () => {
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

it('of two approvals, a rejection and an edit of a waiting edit at once, one counts, and it is in force only if approved', async () => {
  const redirectUris = ['https://resale.example/second'];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, redirectUris: inForce } = await clientAt(one, 'enabled');
    const { version } = await edit(one, id, { redirectUris });
    const won = await winners([
      () => step(one, 'approve', id, BOB, { version }),
      () => step(two, 'approve', id, EVE, { version }),
      () => step(two, 'reject', id, EVE, { version }),
      () => edit(one, id, { redirectUris: ['https://evil.example/'] }, ANN, { version }),
    ]);
    expect(won).toHaveLength(1);
    const approved = (won[0] ?? 2) < 2;
    const client = await readClient(one, id);
    expect([client.status, client.redirectUris]).toEqual(['enabled', approved ? redirectUris : inForce]);
    const open = await one.context().em.count(ClientReview, { client: id, decision: null });
    expect(open).toBe(won[0] === 3 ? 1 : 0);
  }
});

it('an approval of an edit and a suspension at once both count: neither undoes the other', async () => {
  const redirectUris = ['https://resale.example/second'];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await clientAt(one, 'enabled');
    const { version } = await edit(one, id, { redirectUris });
    const won = await winners([() => step(one, 'suspend', id, BOB), () => step(two, 'approve', id, EVE, { version })]);
    // the approval names a version, so it is refused where the suspension came first
    expect(won).toContain(0);
    const client = await readClient(one, id);
    expect(client.status).toBe('suspended');
    expect(client.redirectUris.includes(redirectUris[0] ?? '')).toBe(won.includes(1));
  }
});

it('a client is never enabled with what an edit at the same moment would put in', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, version, redirectUris } = await clientAt(one, 'approved');
    await winners([
      () => step(one, 'enable', id, BOB),
      () => edit(two, id, { redirectUris: ['https://evil.example/'] }, EVE, { version }),
    ]);
    expect(await readClient(one, id)).toMatchObject({ status: 'enabled', redirectUris });
  }
});

it('of a restoration and an approval of one version at once, one counts', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, redirectUris: first } = await clientAt(one, 'enabled');
    const { version: second } = await edit(one, id, { redirectUris: ['https://resale.example/second'] });
    await step(one, 'approve', id, BOB, { version: second });
    const [approval] = await reviewsOf(one, id);
    const third = [...first, 'https://resale.example/third'];
    const { version } = await edit(one, id, { redirectUris: third });
    const won = await winners([
      () => restore(one, id, approval?.id ?? '', BOB, version),
      () => step(two, 'approve', id, EVE, { version }),
    ]);
    expect(won).toHaveLength(1);
    expect((await readClient(one, id)).redirectUris).toEqual(won[0] === 0 ? first : third);
  }
});

it('many edits of a live client at once open one review', async () => {
  const { id, version } = await clientAt(one, 'enabled');
  const won = await winners(
    [one, two, one, two].map(
      (app, at) => () => edit(app, id, { redirectUris: [`https://resale.example/${at}`] }, ANN, { version }),
    ),
  );
  expect(won).toHaveLength(1);
  expect(await one.context().em.count(ClientReview, { client: id, decision: null })).toBe(1);
});

it('two partners that take one name at once: one has it, the other learns so', async () => {
  const context = one.context();
  const partners = [await registerPartner(context, 'Left', ANN), await registerPartner(context, 'Right', ANN)];
  await context.em.flush();
  const takeName = (app: TestApp, index: number) => () =>
    renamePartner(app.context(), partners[index]?.id ?? '', 'Middle', ANN);
  const won = await winners([one, two].map(takeName));
  expect(won).toHaveLength(1);
});
