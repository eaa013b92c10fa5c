import { describe, expect, it } from 'vitest';
import { removeClientLogo, setClientLogo } from '../../../src/client/set-client-logo.ts';
import { IMAGES, png } from '../../src/client/logo-images.ts';
import { countStatements } from '../../support/count-statements.ts';
import { makeClient } from '../../support/make-client.ts';
import { authorize, login } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

const set = (clientId: string, base64: string) => setClientLogo(app.context(), clientId, base64, 'system');

/** The address of its logo, as the login page learns it. */
async function addressOf(clientId: string): Promise<string | null> {
  const { logo } = await login<{ logo: string | null }>(app, await authorize(app, { clientId }), 'session.get');
  return logo === null ? null : new URL(logo, `${app.config.loginUrl}/`).href;
}

describe('the logo on the login pages', () => {
  it.each([
    ['png', png().toString('base64')],
    ['jpeg', IMAGES.jpeg],
    ['webp', IMAGES.webpExtended],
  ])(
    'a %s is served as just that, to be kept for good, and for nothing but an image of our own pages',
    async (kind, base64) => {
      const clientId = await makeClient(app);
      await set(clientId, base64);
      const answer = await fetch((await addressOf(clientId)) ?? '');
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': `image/${kind}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(base64);
    },
  );

  it('another picture has another address; the old one is gone, and so is every one when it is removed', async () => {
    const clientId = await makeClient(app);
    await set(clientId, png().toString('base64'));
    const old = await addressOf(clientId);
    await set(clientId, IMAGES.jpeg);
    const fresh = await addressOf(clientId);
    expect(fresh).not.toBe(old);
    const statusOf = async (address: string | null) => (await fetch(address ?? '')).status;
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([404, 200]);
    await removeClientLogo(app.context(), clientId, 'system');
    expect(await addressOf(clientId)).toBeNull();
    expect(await statusOf(fresh)).toBe(404);
  });

  it('an address that names no logo is 404 and not kept', async () => {
    const clientId = await makeClient(app);
    await set(clientId, IMAGES.jpeg);
    const [, hash = ''] = /([^/]+)$/.exec((await addressOf(clientId)) ?? '') ?? [];
    const other = await makeClient(app);
    const wrong = [
      `${clientId}/x`,
      `${clientId}/${hash.toLowerCase()}`,
      `${clientId}/${hash}A`,
      `${clientId}/%25`,
      `${clientId}/%00`,
      `${other}/${hash}`,
      `x/${hash}`,
    ];
    for (const path of [...wrong, `${clientId}/${hash.slice(0, 15)}`]) {
      const answer = await fetch(`${app.config.loginUrl}/logos/${path}`);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    }
  });

  it('costs one statement', async () => {
    const clientId = await makeClient(app);
    await set(clientId, IMAGES.jpeg);
    const address = (await addressOf(clientId)) ?? '';
    const { statements } = await countStatements(async () => (await fetch(address)).arrayBuffer());
    expect(statements).toHaveLength(1);
  });
});
