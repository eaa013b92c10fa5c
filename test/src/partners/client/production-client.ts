import { Client, ClientReview } from '../../../../src/entities/client.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { type ClientEdit, editClient } from '../../../../src/partners/client/edit-client.ts';
import type { ClientStepName } from '../../../../src/partners/client/life-cycle.ts';
import type { ClientRegistration } from '../../../../src/partners/client/lint-registration.ts';
import { registerClient } from '../../../../src/partners/client/register-client.ts';
import { restoreRegistration } from '../../../../src/partners/client/restore-registration.ts';
import { takeClientStep } from '../../../../src/partners/client/take-step.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** Members of staff, as audit entries name them. */
export const ANN = 'staff:stf_ann';
export const BOB = 'staff:stf_bob';
export const EVE = 'staff:stf_eve';

export const REGISTRATION: ClientRegistration = {
  name: 'Resale',
  mode: 'production',
  redirectUris: ['https://resale.example/callback'],
  scopes: ['openid', 'fan:tickets:read'],
};

/** Statuses that lie on the way from a draft to a suspended client. */
const WAY = ['draft', 'in_review', 'approved', 'enabled', 'suspended'] as const;

/** A production client that went the whole way to a status: Ann registered and submitted it, Bob approved it. */
export async function clientAt(app: TestApp, status: (typeof WAY)[number]): Promise<Client> {
  const context = app.context();
  const partner = await context.em.findOneOrFail(Partner, { name: 'Front Row' });
  const { id } = registerClient(context, partner, REGISTRATION, ANN);
  await context.em.flush();
  const steps = [
    () => step(app, 'submit', id, ANN, { reason: 'Please have a look' }),
    async () => {
      const { version } = await readClient(app, id);
      return step(app, 'approve', id, BOB, { reason: 'All good', version });
    },
    () => step(app, 'enable', id, BOB, { reason: 'Go-live today' }),
    () => step(app, 'suspend', id, BOB, { reason: 'Let us look at it' }),
  ];
  for (const take of steps.slice(0, WAY.indexOf(status))) await take();
  return readClient(app, id);
}

export function step(
  app: Pick<TestApp, 'context'>,
  name: ClientStepName,
  clientId: string,
  actor: string,
  { reason = 'Fine', version }: { reason?: string; version?: number } = {},
): Promise<Client> {
  return takeClientStep(app.context(), name, { clientId, reason, ...(version !== undefined && { version }) }, actor);
}

/** Edits a client as it is now. */
export async function edit(
  app: Pick<TestApp, 'context'>,
  clientId: string,
  changes: ClientEdit['changes'],
  actor = ANN,
  { version, note = 'They asked for it' }: { version?: number; note?: string } = {},
): Promise<Client> {
  const seen = version ?? (await readClient(app, clientId)).version;
  return editClient(app.context(), { clientId, version: seen, changes, note }, actor);
}

export async function restore(
  app: Pick<TestApp, 'context'>,
  clientId: string,
  reviewId: string,
  actor = BOB,
  seen?: number,
): Promise<Client> {
  const version = seen ?? (await readClient(app, clientId)).version;
  return restoreRegistration(app.context(), { clientId, reviewId, version, reason: 'It broke sign-ins' }, actor);
}

/** The reviews of a client, oldest first. */
export function reviewsOf(app: Pick<TestApp, 'context'>, client: string): Promise<ClientReview[]> {
  const { em } = app.context();
  return em.find(ClientReview, { client: knownId('client', client) }, { orderBy: { submittedAt: 'asc', id: 'asc' } });
}

/** The client as the database has it now. */
export function readClient(app: Pick<TestApp, 'context'>, id: string): Promise<Client> {
  return app.context().em.findOneOrFail(Client, { id: knownId('client', id) });
}
