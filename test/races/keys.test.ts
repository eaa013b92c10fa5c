import { expect, it } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Client } from '../../src/entities/client.ts';
import { SigningKey } from '../../src/entities/signing-key.ts';
import { maintainKeys, rotateKeys } from '../../src/keys/rotate-keys.ts';
import { atOnce, testTwoProcesses } from './two-processes.ts';

const both = await testTwoProcesses();

async function states(): Promise<Record<string, number>> {
  const keys = await both.one.context().em.find(SigningKey, {});
  return Object.fromEntries(
    Object.entries(Object.groupBy(keys, (key) => key.state)).map(([state, of]) => [state, of.length]),
  );
}

it('two processes that start at the same moment on an empty database make one key and one starter kit', async () => {
  expect(await states()).toEqual({ current: 1 });
  expect(await both.one.context().em.count(Client)).toBe(1);
  expect(both.one.kit.client_id).toBe(both.two.kit.client_id);
});

it('keys: ten rotations at the same instant publish one key', async () => {
  const waiting = await atOnce(both, 10, (app) => rotateKeys(app.context()));
  expect(new Set(waiting.map(({ kid }) => kid)).size).toBe(1);
  expect(new Set(waiting.map(({ signsFrom }) => signsFrom.getTime())).size).toBe(1);
  expect(await states()).toEqual({ current: 1, next: 1 });
});

it('keys: when it is due, ten processes that see to it activate it once', async () => {
  for (const app of [both.one, both.two]) app.advance(301);
  await atOnce(both, 10, (app) => maintainKeys(app.context()));
  expect(await states()).toEqual({ current: 1, retiring: 1 });
  expect(await both.one.context().em.count(AuditEntry, { action: 'signing_key.activated' })).toBe(1);
});
