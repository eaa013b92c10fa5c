/** What the page "Test against the real thing" shows: with-sandbox.ts, and the files of two CIs. */
import { openAuthServer } from '@fan-api/sdk';
import { afterAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readPage } from './page-samples.ts';
import { sandbox, signInAsFan } from './partner/with-sandbox.ts';

afterAll(() => sandbox.stop());

test('with-sandbox.ts: a fan signs in, and allows the named action only', { timeout: 120_000 }, async () => {
  const [redirectUri = ''] = sandbox.client.redirectUris.slice(1);
  const authServer = openAuthServer({ issuer: sandbox.issuer, clientId: sandbox.client.id, redirectUri });
  const { url, attempt } = await authServer.startSignIn({ scope: 'openid fan:tickets:read fan:listings:write' });
  const { claims, response } = await authServer.finishSignIn(await signInAsFan(url), attempt);
  expect(claims?.sub).toBe(sandbox.users[0]?.id);
  expect(response.granted_actions).toEqual(['fan:tickets:read']);
});

test('the files of the CIs are YAML, and have a Node on which the sandbox runs', () => {
  const blocks = [...readPage('testing').matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const [github, gitlab] = blocks.map((text) => parseAllDocuments(text)[0]?.toJS());
  expect(github.jobs.test.steps.map(({ run }: { run?: string }) => run).filter(Boolean)).toEqual([
    'npm ci',
    'npm test',
  ]);
  expect(github.jobs.test.steps[1].with['node-version']).toBeGreaterThanOrEqual(24);
  expect(gitlab.test).toEqual({ image: 'node:24-bookworm', script: ['npm ci', 'npm test'] });
});
