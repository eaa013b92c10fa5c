import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openChains } from '../../../adapters/process/open-chains.ts';
import { testApp } from '../../support/test-app.ts';

/** Alone: for its mock. */

/** What the package has: everything of the local network but its VM. */
vi.mock('@fan-api/localnet', async (original) => ({
  ...(await original<typeof import('@fan-api/localnet')>()),
  requireVm() {
    throw Object.assign(new Error("Cannot find module 'litesvm'"), { code: 'MODULE_NOT_FOUND' });
  },
}));

const app = await testApp();
const originalTimeout = globalThis.setTimeout;

function logged() {
  const lines: string[] = [];
  return { lines, log: pino({}, { write: (line: string) => lines.push(line) }) };
}

describe('the local network', () => {
  it('is not started where it is declined, as in production by default, and the log says so', async () => {
    const { lines, log } = logged();
    const { chains, close } = await openChains({ ...app.runtime, config: { ...app.config, localnet: false }, log });
    expect(chains.sandbox).toBeUndefined();
    expect(chains.absent?.size).toBe(0);
    expect(lines).toEqual([expect.stringContaining('neither SANDBOX_RPC_URL nor LOCALNET is set')]);
    await close();
  });

  it('ends the start where it is wanted and not installed, in production too', async () => {
    await expect(openChains(app.runtime)).rejects.toThrow(/Set SANDBOX_RPC_URL to a Solana cluster/);
    const production = { ...app.runtime, config: { ...app.config, production: true } };
    await expect(openChains(production)).rejects.toThrow(/Set SANDBOX_RPC_URL to a Solana cluster/);
  });
});

it('D-356: a cluster that does not answer is one line at each try, with growing pauses and without its address', async () => {
  const { lines, log } = logged();
  const pauses: number[] = [];
  const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => {
    if (ms >= 5_000 && work.toString().includes('connectOrRetry')) {
      pauses.push(ms);
      if (pauses.length < 6) queueMicrotask(work);
      return setImmediate(() => {});
    }
    return originalTimeout(work, Math.min(ms, 1));
  }) as never);
  const sandbox = { ...app.config.chains.sandbox, rpcUrl: 'http://127.0.0.1:9/v2/hunter2?api-key=hunter2' };
  const config = { ...app.config, localnet: false, chains: { ...app.config.chains, sandbox } };
  const { chains, close } = await openChains({ ...app.runtime, config, log });
  await vi.waitFor(() => expect(pauses).toHaveLength(6), { timeout: 10_000 });
  timer.mockRestore();
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  expect(chains.absent?.get('sandbox')).toBe('unreachable');
  expect(lines).toHaveLength(6);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    mode: 'sandbox',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
  expect(lines.join()).not.toMatch(/hunter2|\bat .*\.ts/);
  await close();
});
