import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTicketProgram } from '@fan-api/sdk/web3';
import { readImported } from './box-office.ts';
import { watchChain } from './chain-reader.ts';
import { phoneOf } from './decide-entry.ts';
import { type Doors, openDoors } from './doors.ts';
import type { GateTicket } from './gate.ts';
import { readRecords } from './gate-memory.ts';
import { judgeSeason, type Verdict } from './judge.ts';
import { type Killer, startKilling } from './kills.ts';
import { openPartner, type PartnerLedger } from './partner.ts';
import { asNdjson, planSeason, type RowFile } from './plan.ts';
import { seededRandom } from './random.ts';
import type { Stand } from './stand.ts';
import { liveAs, type World } from './ticket-life.ts';

export interface SeasonOptions {
  tickets: number;
  kill: boolean;
  seed: number;
}

/** A season that is over. */
export interface Season extends Verdict {
  tickets: number;
  scans: number;
  entered: number;
  kills: number;
  changesRead: number;
  seconds: number;
  /** Refusals that partners got, and how often. */
  refusals: ReadonlyMap<string, number>;
}

/** Tickets that are sold and scanned at the same time. */
const AT_ONCE = 48;
const FILE_EVERY_MS = { least: 1_000, perTicket: 3 };
const LOOK_MS = 1_000;
const SETTLED_WITHIN_MS = 120_000;
/** For a sale on its way to the gate. */
const LIMIT_MS = { quiet: 30_000, killed: 60_000 };

/** Plays a season on a stand, and has it judged. */
export async function playSeason(stand: Stand, { tickets, kill, seed }: SeasonOptions): Promise<Season> {
  const began = Date.now();
  const random = seededRandom(seed);
  const plan = planSeason(tickets, random, began);
  const chain = watchChain(stand.connection, stand.programId);
  const doors = openDoors(stand.gateUrl, chain);
  const ledger: PartnerLedger = { claims: new Map(), listings: [], phones: new Map(), refusals: new Map() };
  const fan = { loginUrl: `${stand.origin}/login`, codeOf: stand.codeOf };
  const over = new AbortController();
  const [board, watching] = watchGate(doors, over.signal);
  const world: World = {
    ...{ phones: plan.phones, doors, permits: new Map() },
    partners: stand.partners.map((access) => openPartner(access, { ...stand, fan, ledger })),
    program: openTicketProgram(stand.connection, stand.programId),
    atGate: (ticket) => board.get(ticket),
    writeRows: async (file) => writeRows(stand.rowFolder, file),
  };
  const problems: string[] = [];
  const killer: Killer | undefined = kill
    ? startKilling([stand.service, stand.gate, stand.boxOffice], seededRandom(seed + 1))
    : undefined;
  const importing = (async () => {
    for (const file of plan.files) {
      writeRows(stand.rowFolder, file);
      await sleep(FILE_EVERY_MS.least + tickets * FILE_EVERY_MS.perTicket);
    }
  })();
  const waiting = random.shuffled(plan.tickets).sort((a, b) => Number(a.waits) - Number(b.waits));
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let ticket = waiting.shift(); ticket !== undefined; ticket = waiting.shift()) {
        const { reference } = ticket;
        // the same for the same seed, whatever others do meanwhile
        const own = seededRandom(seed + 1 + plan.tickets.indexOf(ticket));
        await liveAs(ticket, world, own).catch((error: unknown) => problems.push(`${reference}: ${error}`));
      }
    }),
  );
  await importing;
  await killer?.stop();
  const history = {
    ...{ tickets: plan.tickets, permits: world.permits, ledger, transfers: chain.transfers, scans: doors.scans },
    ...(await settled()),
  };
  over.abort();
  await Promise.all([watching, chain.stop()]);
  const records = readRecords(stand.gateFile);
  const limit = kill ? LIMIT_MS.killed : LIMIT_MS.quiet;
  const verdict = judgeSeason({ ...history, records, imported: readImported(stand.rowFolder) }, limit);
  return {
    ...verdict,
    violations: [...verdict.violations, ...problems],
    ...{ tickets, scans: doors.scans.length, entered: doors.scans.filter(({ entered }) => entered).length },
    kills: killer?.kills ?? 0,
    changesRead: records.reduce((sum, record) => sum + (record.kind === 'read' ? record.lines.length : 0), 0),
    seconds: Math.round((Date.now() - began) / 1_000),
    refusals: ledger.refusals,
  };

  /** Waits until gate, service and chain agree, or for long enough. */
  async function settled() {
    for (const end = Date.now() + SETTLED_WITHIN_MS; ; await sleep(LOOK_MS)) {
      const [known, onchain] = [await doors.tickets(), await chain.permits()];
      const isSettled = [...world.permits].every(([ticket, permit]) => {
        const [line, state] = [known.get(ticket), onchain.get(permit)];
        const isKnown = line !== undefined && phoneOf(line) === ledger.phones.get(state?.owner ?? '');
        return isKnown && line.entered === line.told && (line.status === 'valid' || !state?.listed);
      });
      if (isSettled || Date.now() > end) return { onchain, endedAt: Date.now() };
    }
  }
}

function writeRows(folder: string, { name, rows }: RowFile): void {
  const draft = join(folder, `${name}.new`);
  writeFileSync(draft, asNdjson(rows));
  renameSync(draft, join(folder, name));
}

/** What the gate knows, now and then. */
function watchGate(doors: Doors, stopped: AbortSignal): [ReadonlyMap<string, GateTicket>, Promise<void>] {
  const board = new Map<string, GateTicket>();
  const watching = (async () => {
    while (!stopped.aborted) {
      for (const [ticket, line] of await doors.tickets()) board.set(ticket, line);
      await sleep(LOOK_MS);
    }
  })();
  return [board, watching];
}
