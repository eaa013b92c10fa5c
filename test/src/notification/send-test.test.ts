import { expect, test } from 'vitest';
import { sendTest } from '../../../src/notification/send-test.ts';
import { testApp } from '../../support/test-app.ts';
import { delivererOf, endpointOf, eventIn, startReceiver } from './notification-stage.ts';

const app = await testApp({ env: { NOTIFICATION_LOOPBACK: 'true' } });

test('a test that failed is sent again at once when it is asked for again: one waits at a time', async () => {
  const receiver = await startReceiver();
  const { endpoint } = await endpointOf(app, 'set_push', receiver.url);
  receiver.answer = (_, response) => void response.writeHead(500).end();
  const { jti } = await sendTest(app.context(), endpoint.id);
  expect((await sendTest(app.context(), endpoint.id)).jti).toBe(jti);
  await delivererOf(app).turn();
  await delivererOf(app).turn();
  expect(receiver.received).toHaveLength(1);
  receiver.answer = (_, response) => void response.writeHead(202).end();
  await sendTest(app.context(), endpoint.id);
  await delivererOf(app).turn();
  expect(receiver.received.map(({ body }) => eventIn(body).jti)).toEqual([jti, jti]);
  expect((await sendTest(app.context(), endpoint.id)).jti).not.toBe(jti);
});
