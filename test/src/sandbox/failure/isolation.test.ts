/** What is simulated for one sandbox client concerns nobody else, costs nothing where there is nothing, and is met as often as armed. */

import { beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../../../../src/entities/client.ts';
import { SigningKey } from '../../../../src/entities/signing-key.ts';
import { maintainKeys } from '../../../../src/keys/rotate-keys.ts';
import { signJwt } from '../../../../src/keys/sign-jwt.ts';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { endSimulation } from '../../../../src/sandbox/failure/advance-clock.ts';
import { armFailure, disarmFailure } from '../../../../src/sandbox/failure/arm-failure.ts';
import { makeSandboxKey } from '../../../../src/sandbox/failure/sandbox-key.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { createDatabase } from '../../../support/database.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, codeForm, obtainCode, postForm, refreshForm, signIn } from '../../../support/partner.ts';
import { startBeside } from '../../../support/start-beside.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();
const client = app.kit.client_id;
beforeEach(() => endSimulation(app.context(), client, 'test'));

async function productionClient() {
  return makeClient(app, { mode: 'production', status: 'enabled', redirectUris: ['https://front.example/callback'] });
}

async function simulationOf(id = client): Promise<unknown> {
  return (await app.context().em.findOneOrFail(Client, { id: id as Client['id'] })).simulation ?? null;
}

describe('a production client', () => {
  const attempts: ((id: string) => Promise<unknown>)[] = [
    (id) => armFailure(app.context(), id, { failure: 'unavailable' }, 'test'),
    (id) => endSimulation(app.context(), id, 'test'),
    (id) => makeSandboxKey(app.context(), id, 'test'),
  ];

  test('can arm nothing, and has no sandbox key', async () => {
    const production = await productionClient();
    for (const attempt of attempts)
      await expect(attempt(production)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test.each([`simulation = '{"armedUntil":1}'`, `sandbox_key_hash = 'x'`])(
    'is refused by the database too: %s',
    async (change) => {
      const production = await productionClient();
      const { em } = app.context();
      const changed = em.execute(`update client set ${change} where id = ?`, [uuidOf('client', production)]);
      await expect(changed).rejects.toThrow(/client_simulated_in_sandbox/);
    },
  );
});

describe('what it costs', () => {
  const calls = async () => {
    const tokens = await signIn(app);
    const obtained = await obtainCode(app);
    const { statements } = await countStatements(async () => {
      await callFan(app, '/tickets', tokens.access_token);
      await fetch(`${app.config.authUrl}/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      await postForm(app, '/oauth2/token', codeForm(obtained));
      await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    });
    return statements.filter((text) => !/signing_key/.test(text));
  };

  test('a client without anything simulated has one statement for each call, as before', async () => {
    expect(await calls()).toHaveLength(4);
  });

  test('a client that has met all that was armed has them again, after one call that finds nothing left', async () => {
    await armFailure(app.context(), client, { failure: 'unavailable', operation: 'tickets.list' }, 'test');
    const { access_token } = await signIn(app);
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await callFan(app, '/tickets', access_token)).status);
    expect(statuses).toEqual([503, 200, 200]);
    expect(await simulationOf()).toBeNull();
    expect(await calls()).toHaveLength(4);
  });
});

describe('a failure is met', () => {
  test('by the very next call, at whichever process it arrives', async () => {
    const database = await createDatabase();
    const [one, two] = [await startBeside(database.url), await startBeside(database.url)];
    try {
      one.runtime.config.simulationSpreadMs = 1_100;
      const { access_token } = await signIn(one);
      await armFailure(one.context(), one.kit.client_id, { failure: 'unavailable' }, 'test');
      expect((await callFan(two, '/tickets', access_token)).status).toBe(503);
      await armFailure(one.context(), one.kit.client_id, { failure: 'clock_behind' }, 'test');
      await disarmFailure(one.context(), one.kit.client_id, 'clock_behind', 'test');
      expect(two.runtime.tokenClock.aheadFor(one.kit.client_id, new Date())).toBe(0);
    } finally {
      await two.stop();
      await one.stop();
      await database.drop();
    }
  });

  test('as often as it was armed, however many calls come at once', async () => {
    const { access_token } = await signIn(app);
    await armFailure(app.context(), client, { failure: 'unavailable', times: 3 }, 'test');
    const answers = await Promise.all(Array.from({ length: 12 }, () => callFan(app, '/tickets', access_token)));
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  });

  test('in the order of arming, one by one call', async () => {
    const { access_token } = await signIn(app);
    await armFailure(app.context(), client, { failure: 'rate_limited' }, 'test');
    await armFailure(app.context(), client, { failure: 'unavailable' }, 'test');
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await callFan(app, '/tickets', access_token)).status);
    expect(statuses).toEqual([429, 503, 200]);
  });

  test('no longer once its time is over', async () => {
    await armFailure(app.context(), client, { failure: 'unavailable', minutes: 1 }, 'test');
    app.advance(61);
    const { access_token } = await signIn(app);
    expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
    app.resetClock();
  });

  test('by no other client of the same partner', async () => {
    const other = await makeClient(app);
    const { access_token } = await signIn(app, { clientId: other });
    await armFailure(app.context(), client, { failure: 'unavailable' }, 'test');
    expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
  });
});

describe('a key of one client (D-303)', () => {
  async function clientKey() {
    await armFailure(app.context(), client, { failure: 'key_rotation' }, 'test');
    const { kid } = (await simulationOf()) as { kid: string };
    const key = await app.runtime.keys.clientKey(kid);
    if (!key) throw new Error('the key signs');
    return key;
  }

  test('verifies no token of another client, nor of production', async () => {
    const key = await clientKey();
    const other = await makeClient(app);
    const { access_token } = await signIn(app);
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    const answerTo = async (changes: object) => {
      const forged = await signJwt({ keys: { ...app.runtime.keys, current: async () => key } }, 'at+jwt', {
        ...claims,
        ...changes,
      });
      const { status, body } = await callFan(app, '/tickets', forged);
      return `${status} ${body.message}`;
    };
    expect(await answerTo({})).toMatch(/^200/);
    expect(await answerTo({ client_id: other })).toMatch(/^401 .*another client/);
    expect(await answerTo({ mode: 'production' })).toMatch(/^401 .*another client/);
  });

  test('signs nothing of others', async () => {
    const { kid } = await clientKey();
    const other = await makeClient(app);
    const { access_token } = await signIn(app, { clientId: other });
    const header = JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString());
    expect(header.kid).not.toBe(kid);
    expect((await app.runtime.keys.current()).kid).not.toBe(kid);
  });

  test('is one of a few, and goes with its private part soon after it signed last', async () => {
    await clientKey();
    const few = async () => {
      for (let made = 0; made < 4; made++)
        await armFailure(app.context(), client, { failure: 'key_rotation', minutes: 1 }, 'test');
    };
    await expect(few()).rejects.toMatchObject({ code: 'conflict' });
    await endSimulation(app.context(), client, 'test');
    app.advance(app.config.accessTokenTtl + 120);
    await maintainKeys(app.context());
    const left = await app.context().em.find(SigningKey, { client: { $ne: null } });
    expect(left.map(({ state, sealedKey }) => [state, sealedKey])).toEqual(left.map(() => ['gone', null]));
    expect(left.length).toBeGreaterThan(0);
    app.resetClock();
  });
});

describe('arming', () => {
  test.each([
    [{ failure: 'unavailable', times: 0 }, /^times must be/],
    [{ failure: 'unavailable', times: 1.5 }, /^times must be/],
    [{ failure: 'unavailable', seconds: 601 }, /^seconds must be/],
    [{ failure: 'unavailable', minutes: 61 }, /^minutes must be/],
    [{ failure: 'unavailable', operation: 'authorize.start' }, /^operation must be one of/],
    [{ failure: 'code_used', seconds: 3 }, /^seconds means nothing/],
    [{ failure: 'clock_ahead', times: 2 }, /^times is not for/],
  ] as const)('%j is refused with what is wrong, and arms nothing', async (arming, message) => {
    const attempt = armFailure(app.context(), client, arming, 'test');
    await expect(attempt).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringMatching(message) });
    expect(await simulationOf()).toBeNull();
  });

  test('of the other clock or key ends the first', async () => {
    await armFailure(app.context(), client, { failure: 'clock_ahead' }, 'test');
    await armFailure(app.context(), client, { failure: 'clock_behind' }, 'test');
    expect(await simulationOf()).toMatchObject({ skew: -120 });
    const armed = await app.runtime.pool.query('select failure from armed_failure');
    expect(armed.rows).toEqual([{ failure: 'clock_behind' }]);
  });

  test('keeps the version of the client: a waiting edit stays valid', async () => {
    const before = await app.context().em.findOneOrFail(Client, { id: client as Client['id'] });
    await armFailure(app.context(), client, { failure: 'unavailable' }, 'test');
    const after = await app.context().em.findOneOrFail(Client, { id: client as Client['id'] });
    expect(after.version).toBe(before.version);
  });
});
