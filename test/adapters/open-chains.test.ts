import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { openChains } from '../../adapters/open-chains.ts';
import { testApp } from '../support/test-app.ts';

/** What the package has: everything of the local network but its VM. */
vi.mock('@fan-api/localnet', async (original) => ({
  ...(await original<typeof import('@fan-api/localnet')>()),
  requireVm() {
    throw Object.assign(new Error("Cannot find module 'litesvm'"), { code: 'MODULE_NOT_FOUND' });
  },
}));

const app = await testApp();

function logged() {
  const lines: string[] = [];
  return { lines, log: pino({}, { write: (line: string) => lines.push(line) }) };
}

describe('D-016: the local network', () => {
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
