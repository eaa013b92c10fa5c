import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalnet } from '@fan-api/localnet';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { expect, it } from 'vitest';
import { createGateway } from '../../../src/chain/gateway/gateway.ts';
import { setUpLocalProgram } from '../../../src/sandbox/set-up-local-program.ts';
import { testChainApp } from '../../support/test-chain-app.ts';

const app = await testChainApp();

it('a process that finds the local program set up by another meanwhile goes on without an error', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'localnet-'));
  const network = await startLocalnet({ port: 0, dataDir, programs: [readLocalProgram()] });
  try {
    const gateway = createGateway({ rpcUrl: network.url, programId: app.chain.programId });
    const chain = { ...app.chain, gateway };
    await setUpLocalProgram(chain, app.runtime.signer);
    // with the same blockhash it would be the same transaction, which runs once
    const before = await gateway.latestBlockhash();
    await expect.poll(() => gateway.latestBlockhash()).not.toBe(before);
    // the other has looked before the first was done
    let looks = 0;
    const late = { ...gateway, config: async () => (++looks === 1 ? undefined : gateway.config()) };
    await setUpLocalProgram({ ...chain, gateway: late }, app.runtime.signer);
    expect(looks).toBe(2);
  } finally {
    await network.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
