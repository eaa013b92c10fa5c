import { expect, it } from 'vitest';
import { DomainError } from '../../../src/errors.ts';
import { createSigner } from '../../../src/wallet/signer.ts';
import { oneTicket } from '../../support/chain-app.ts';
import { authorizeListing, listing } from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

const stage = authorizationsStage();

it('D-180: POST /authorizations while the key service is down is 503 with Retry-After, and works again afterwards', async () => {
  const { app, market } = stage;
  const { signer, custody, pool } = app.runtime;
  const ticket = await oneTicket(app, app.users[0]);
  const transaction = await listing(app, market, ticket, stage.ownerOf());
  const down = new DomainError('unavailable', 'The key service can not be reached for the moment; try again.', {
    retryAfter: 5,
  });
  app.runtime.signer = createSigner({ pool, custody: { ...custody, open: () => Promise.reject(down) } });
  const refused = await authorizeListing(app, app.users[0], 'list', [transaction]);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(refused.headers.get('x-error-code')).toBe('unavailable');
  app.runtime.signer = signer;
  expect((await authorizeListing(app, app.users[0], 'list', [transaction])).status).toBe(200);
});
