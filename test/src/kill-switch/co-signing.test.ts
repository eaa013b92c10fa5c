import { expect, it, vi } from 'vitest';
import { liftKillSwitch, setKillSwitch } from '../../../src/kill-switch/kill-switch.ts';
import { authorizationsStage } from '../../adapters/fan/authorizations-stage.ts';
import { oneTicket } from '../../support/chain-app.ts';
import { authorizeListing, listing } from '../../support/ticket-transactions.ts';

const stage = authorizationsStage();
const ANN = 'staff:stf_ann';

it('while co-signing is stopped nothing is signed: 503 in words; lifted, the same request is', async () => {
  const { app, market, expectRefusal, ownerOf } = stage;
  const ticket = await oneTicket(app, app.users[0]);
  const bytes = await listing(app, market, ticket, ownerOf());
  await setKillSwitch(app.context(), { kind: 'co_signing' }, 'Strange listings', ANN);
  const attempt = () => authorizeListing(app, app.users[0], 'list', [bytes]);
  const faults = vi.spyOn(app.runtime.log, 'error');
  const { headers } = await expectRefusal(attempt, 503, 'unavailable', /stopped/);
  expect(faults, 'D-230: a stop is no fault').not.toHaveBeenCalled();
  expect(headers.get('retry-after')).toBeTruthy();
  await liftKillSwitch(app.context(), { kind: 'co_signing' }, 'They were ours', ANN);
  expect((await attempt()).status).toBe(200);
});
