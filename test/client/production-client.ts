import { approveClient } from '../../src/client/approve-client.ts';
import { enableClient } from '../../src/client/enable-client.ts';
import { registerClient } from '../../src/client/register-client.ts';
import { submitForReview } from '../../src/client/submit-for-review.ts';
import { suspendClient } from '../../src/client/suspend-client.ts';
import { Client } from '../../src/entities/client.ts';
import { Partner } from '../../src/entities/partner.ts';
import type { TestApp } from '../support/start-app.ts';

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
    () => submitForReview(app.context(), id, 'Please have a look', ANN),
    async () => {
      const { version } = await readClient(app, id);
      await approveClient(app.context(), { clientId: id, version, reason: 'All good' }, BOB);
    },
    () => enableClient(app.context(), id, 'Go-live today', BOB),
    () => suspendClient(app.context(), id, 'Let us look at it', BOB),
  ];
  for (const step of steps.slice(0, WAY.indexOf(status))) await step();
  return readClient(app, id);
}

/** The client as the database has it now. */
export function readClient(app: TestApp, id: string): Promise<Client> {
  return app.context().em.findOneOrFail(Client, { id });
}
