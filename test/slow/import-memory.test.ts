import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sendInventory } from '../../adapters/commands/send-inventory.ts';
import { createServiceAccount } from '../../src/people/staff/service-accounts.ts';
import { openServer } from '../bench/server.ts';
import { IMPORT_ENV } from '../support/import-calls.ts';

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

/** Tickets of one event, of one type, and of one holder on average. */
const TICKETS_PER_EVENT = 10_000;
const TYPES_PER_EVENT = 5;
const TICKETS_PER_HOLDER = 3;

/** The rows of a season: events, their types, and `count` tickets of holders who have never signed in. */
function* seasonRows(count: number): Generator<object> {
  for (let at = 0; at < count; at += 1) {
    const event = `event-${Math.floor(at / TICKETS_PER_EVENT)}`;
    if (at % TICKETS_PER_EVENT === 0) {
      const times = { starts_at: '2030-05-01T18:00:00Z', ends_at: '2030-05-01T22:00:00Z', time_zone: 'Europe/Berlin' };
      yield { kind: 'event', reference: event, name: `Evening ${event}`, venue: 'Town hall', ...times };
      for (let type = 0; type < TYPES_PER_EVENT; type += 1) {
        yield { kind: 'ticket_type', reference: `type-${type}`, event, name: `Block ${type}` };
      }
    }
    const holder = (Math.floor(at / TICKETS_PER_HOLDER) % 100_000_000).toString().padStart(8, '0');
    yield {
      kind: 'ticket',
      reference: `ticket-${at}`,
      event,
      ticket_type: `type-${at % TYPES_PER_EVENT}`,
      // numbers of Berlin
      holder_phone: `+4930${holder}`,
      purchased_at: '2026-10-01T10:00:00Z',
      updated_at: '2026-10-01T10:00:00Z',
    };
  }
}

/** Writes the rows of a season as NDJSON. @returns how many there are */
async function writeSeason(file: string, count: number): Promise<number> {
  const out = createWriteStream(file);
  let rows = 0;
  let part = '';
  for (const row of seasonRows(count)) {
    part += `${JSON.stringify(row)}\n`;
    rows += 1;
    if (part.length < 65_536) continue;
    if (!out.write(part)) await once(out, 'drain');
    part = '';
  }
  out.end(part);
  await once(out, 'finish');
  return rows;
}
