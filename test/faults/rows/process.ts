import { randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../fault.ts';
import type { Service, Stand } from '../stand/stand.ts';

/** The processes of the service themselves. */
const KILL_SECONDS = Number(process.env.KILL_SECONDS ?? 300);
const SHIFT_CLOCK = fileURLToPath(new URL('../stand/shift-clock.ts', import.meta.url));

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'clocks off by 20 s, ahead and behind',
    hits: 'nothing',
    ready: 'yes',
    stand: { processes: 2, env: (index) => clockOff(index === 0 ? 20 : -20) },
    holdMs: 12_000,
  },
  {
    name: 'clocks off by 120 s, ahead and behind',
    hits: 'nothing',
    ready: 'never',
    stand: { processes: 2, env: (index) => clockOff(index === 0 ? 120 : -120) },
    holdMs: 12_000,
  },
  {
    name: '3,000 sockets that say nothing, or little and slowly',
    hits: 'nothing',
    ready: 'yes',
    // the time for a request's header is 20 s, looked at every 5 s
    holdMs: 30_000,
    async inject(stand) {
      sockets.set(stand, await openSockets(stand.services[0]));
    },
    pulse: {
      everyMs: 1_000,
      async run(stand) {
        for (const socket of sockets.get(stand) ?? []) if (socket.slow && socket.raw.writable) socket.raw.write('x');
      },
    },
    async heal(stand) {
      const all = sockets.get(stand) ?? [];
      const open = all.filter(({ raw }) => !raw.destroyed).length;
      if (open > 0) stand.problems.push(`${open} of ${all.length} sockets were still open after 30 s`);
      else stand.notes.push(`all ${all.length} were closed within 30 s`);
      for (const { raw } of all) raw.destroy();
    },
  },
  {
    name: 'four processes, one of them killed (kill -9) every few seconds',
    hits: 'everything',
    ready: 'either',
    stops: true,
    unanswered: true,
    abandonEvery: 2,
    stand: { processes: 4 },
    holdMs: KILL_SECONDS * 1_000,
    wholeWithinMs: 60_000,
    pulse: { everyMs: 4_000, run: killOne },
    async heal(stand) {
      await Promise.all(starting.get(stand) ?? []);
      stand.notes.unshift(`${kills.get(stand) ?? 0} kills`);
    },
  },
];

function clockOff(seconds: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${SHIFT_CLOCK}`, CLOCK_OFF_MS: String(seconds * 1_000) };
}

interface OpenSocket {
  raw: Socket;
  slow: boolean;
}

const sockets = new WeakMap<Stand, OpenSocket[]>();
const SILENT = 2_000;
const SLOW = 1_000;

/** Connections without a request, and requests whose header comes letter by letter. */
async function openSockets(service: Service | undefined): Promise<OpenSocket[]> {
  const all: OpenSocket[] = [];
  for (let index = 0; index < SILENT + SLOW; index++) {
    const raw = connect(service?.port ?? 0, '127.0.0.1');
    raw.on('error', () => raw.destroy());
    raw.on('close', () => raw.destroy());
    raw.resume();
    const slow = index >= SILENT;
    if (slow) raw.write('GET /fan/tickets HTTP/1.1\r\nhost: here\r\nx-slow: ');
    all.push({ raw, slow });
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}

const kills = new WeakMap<Stand, number>();
const starting = new WeakMap<Stand, Promise<void>[]>();
const MOST_AT_ONCE_DOWN = 2;

/** `kill -9` for one process, which is started again. A start may take longer than the pause: at least two of the four serve. */
async function killOne(stand: Stand): Promise<void> {
  const open = starting.get(stand) ?? [];
  starting.set(stand, open);
  if (open.length >= MOST_AT_ONCE_DOWN) return;
  const service = stand.services[randomInt(stand.services.length)];
  if (!service?.isRunning()) return;
  service.signal('SIGKILL');
  await service.ended();
  kills.set(stand, (kills.get(stand) ?? 0) + 1);
  const started: Promise<void> = service
    .start()
    .catch((error: Error) => void stand.problems.push(error.message))
    .finally(() => void open.splice(open.indexOf(started), 1));
  open.push(started);
}
