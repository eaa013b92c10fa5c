import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { beginParts } from '../../../adapters/process/begin-parts.ts';
import { createLog } from '../../../adapters/process/log.ts';
import { openLocalnet } from '../../../adapters/process/open-localnet.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { listen } from '../../support/listen.ts';
import { testFolder } from '../../support/test-folder.ts';

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('hex');

const dataDir = await testFolder();

const configOf = (env: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATA_DIR: dataDir,
    KEY_ENCRYPTION_KEY,
    LOG_LEVEL: 'silent',
    ...env,
  });

describe('D-255: the parts that a start begins before it loads the service', () => {
  it('are only those that the process needs', () => {
    expect(beginParts(configOf({ SURFACES: 'auth,login' }))).toEqual({});
    expect(beginParts(configOf({ SURFACES: 'fan', SANDBOX_RPC_URL: 'http://127.0.0.1:1' }))).toEqual({});
    expect(beginParts(configOf({ SURFACES: 'fan', LOCALNET: 'false' }))).toEqual({});
  });

  it('a local network without its port is no fault before it is waited for, and another port is used then', async () => {
    const other = await listen(createServer((_, answer) => answer.writeHead(404).end()));
    const { port } = other;
    const config = configOf({ SURFACES: 'fan', LOCALNET_PORT: String(port) });
    const { localnet } = beginParts(config);
    await expect(localnet).rejects.toMatchObject({ code: 'port_taken' });
    const used = await openLocalnet(config, createLog('silent'), 'nobody', localnet);
    expect(new URL(used.url).port).not.toBe(String(port));
    await used.stop();
    await other.stop();
  });
});
