import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answers, type Child, freePorts, startChild } from '../../support/child.ts';
import { CHILD_ENV } from '../../support/child-env.ts';
import { type Citus, NO_CITUS, startWithLogMoved } from '../../support/citus.ts';
import { testFolder } from '../../support/test-folder.ts';

const run = promisify(execFile);
const JUDGED = [
  'login.consent.grant',
  'token.exchange',
  'token.refresh',
  'tickets.list',
  'listings.sign',
  'claims.execute',
];

describe.skipIf(NO_CITUS !== undefined)(`the demo over Citus (skipped: ${NO_CITUS ?? 'no'})`, async () => {
  const folder = await testFolder();
  let citus: Citus;
  let service: Child;
  beforeAll(async () => {
    citus = await startWithLogMoved();
    const [port, metrics, localnet] = [await freePorts(), await freePorts(), await freePorts(2)];
    const env = {
      ...{ PORT: String(port), METRICS_PORT: String(metrics), LOCALNET_PORT: String(localnet), DATA_DIR: folder },
      ...{ DATABASE_URL: citus.coordinator.url, KEY_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64url') },
    };
    // it listens a moment before it writes the starter kit
    const isReady = async () =>
      existsSync(join(folder, 'starter-kit.json')) && answers(`http://localhost:${port}/readyz`);
    service = await startChild('adapters/process/main.ts', { env, isReady });
  });
  afterAll(async () => {
    await service?.kill('SIGTERM');
    await citus?.close();
  });

  it('two fans sign in, a ticket is listed, cancelled, listed again and sold, and every call is in the log on the worker', async () => {
    const options = { env: { ...CHILD_ENV, DATA_DIR: folder }, timeout: 120_000 };
    const { stdout } = await run(process.execPath, ['test/flows/demo.ts'], options);
    expect(stdout).toMatch(/no longer holds tkt_/);
    const logged = `select array_agg(distinct operation) as operations from request_log where status = 200`;
    const { worker } = await citus.placeOfLog();
    const read = async () => (await worker.run<{ operations: string[] }>(logged))[0]?.operations;
    await expect.poll(read, { timeout: 10_000 }).toEqual(expect.arrayContaining(JUDGED));
  });
});
