import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
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

it('without SANDBOX_RPC_URL, the package starts in production without a sandbox, and says so', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const config = { ...app.config, production: true };
  const { chains, close } = await openChains({ ...app.runtime, config, log });
  expect(chains.sandbox).toBeUndefined();
  expect(chains.absent?.size).toBe(0);
  expect(lines).toEqual([expect.stringContaining('SANDBOX_RPC_URL is not set')]);
  await close();
});

it('for development the package names what is missing, and does not start', async () => {
  await expect(openChains(app.runtime)).rejects.toThrow(/Set SANDBOX_RPC_URL to a Solana cluster/);
});
