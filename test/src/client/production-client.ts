import type { ClientStepName } from '../../../src/client/life-cycle.ts';
import { registerClient } from '../../../src/client/register-client.ts';
import { takeClientStep } from '../../../src/client/take-step.ts';
import { Client } from '../../../src/entities/client.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import type { TestApp } from '../../support/start-app.ts';

/** Members of staff, as audit entries name them. */
export const ANN = 'staff:stf_ann';
export const BOB = 'staff:stf_bob';
export const EVE = 'staff:stf_eve';

/** Statuses that lie on the way from a draft to a suspended client. */
const WAY = ['draft', 'in_review', 'approved', 'enabled', 'suspended'] as const;

/** A production client that went the whole way to a status: Ann registered and submitted it, Bob approved it. */
export async function clientAt(app: TestApp, status: (typeof WAY)[number]): Promise<Client> {
  const context = app.context();
  const partner = await context.em.findOneOrFail(Partner, { name: 'Front Row' });
  const registration = {
    name: 'Resale',
    mode: 'production' as const,
    redirectUris: ['https://resale.example/callback'],
    scopes: ['openid', 'fan:tickets:read'],
  };
  const { id } = registerClient(context, partner, registration, ANN);
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

/** Takes a step of a client. */
export function step(
  app: Pick<TestApp, 'context'>,
  name: ClientStepName,
  clientId: string,
  actor: string,
  { reason = 'Fine', version }: { reason?: string; version?: number } = {},
): Promise<Client> {
  return takeClientStep(app.context(), name, { clientId, reason, ...(version !== undefined && { version }) }, actor);
}

/** The client as the database has it now. */
export function readClient(app: TestApp, id: string): Promise<Client> {
  return app.context().em.findOneOrFail(Client, { id: knownId('client', id) });
}
