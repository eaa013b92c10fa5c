import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { callFan, signIn } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();

it('a partner signs a fan in and lists the tickets that the fan holds', async () => {
  const tokens = await signIn(app);
  const { status, body } = await callFan(app, '/tickets', tokens.access_token);
  expect(status).toBe(200);
  expect(body.user_id).toBe(app.kit.test_users[0]?.id);
  expect(body.user_id).toBe(decodeJwt(tokens.access_token).sub);
  expect((body.tickets as { event_name: string }[]).map((ticket) => ticket.event_name)).toEqual([
    'Northern Lights Festival',
    'Northern Lights Festival',
    'The Paper Lanterns, Live',
    'City Derby',
  ]);
});
