import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sendInventory } from '../../adapters/commands/send-inventory.ts';
import { createServiceAccount } from '../../src/people/staff/service-accounts.ts';
import { openServer } from '../bench/server.ts';
import { IMPORT_ENV } from '../support/import-calls.ts';
import { writeSeason } from './season-file.ts';

const TICKETS = 200_000;
/** More than garbage collection swings; the file itself has 50 MB, its rows as objects several times as much. */
const MOST_GROWTH_MB = 100;

it('memory stays flat while 200,000 rows come in', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'imp-memory-'));
  const file = join(dataDir, 'season.ndjson');
  const rows = await writeSeason(file, TICKETS);
  const server = await openServer({ env: IMPORT_ENV });
  try {
    const wish = { name: 'Memory', scopes: ['inventory:write'], days: 1, callsPerMinute: 100 };
    const { value } = await createServiceAccount(server.stage.context(), wish, 'system');
    const resident: { lines: number; megabytes: number }[] = [];
    const content = createReadStream(file);
    const last = await sendInventory(
      server.config.adminUrl,
      value,
      { content, format: 'ndjson', name: undefined, resume: undefined },
      ({ lines }) => {
        const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
        resident.push({ lines, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 });
      },
    );
    expect(last).toMatchObject({ state: 'finished', created: rows, failed: 0 });
    const most = (from: number, to: number) =>
      Math.max(...resident.filter(({ lines }) => lines > from && lines <= to).map(({ megabytes }) => megabytes));
    // the first tenth fills the heap to its usual size
    const early = most(rows * 0.1, rows * 0.4);
    const late = most(rows * 0.7, rows);
    console.log(`resident, most: ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB late`);
    expect(late - early).toBeLessThan(MOST_GROWTH_MB);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
