import { readdir, readFile } from 'node:fs/promises';

/** CPU time of a process and all its descendants, in milliseconds since they began. */
export interface CpuTime {
  /** All threads but libuv's pool. */
  main: number;
  /** libuv's pool, which does the RSA signatures. */
  pool: number;
}

/** What `/proc/PID/stat` says of a process or a thread. */
interface ProcStat {
  name: string;
  parent: number;
  /** Milliseconds, user and system. */
  own: number;
  /** Milliseconds of children that have ended and been waited for. */
  ended: number;
}

/** Linux counts these times in hundredths of a second on every machine (`USER_HZ`). */
const MS_PER_TICK = 10;
const POOL_THREAD = 'libuv-worker';

/** Reads a line of `/proc/PID/stat`. The name stands in parentheses and may hold spaces and parentheses. @see proc(5) */
export function parseStat(line: string): ProcStat {
  const nameEnd = line.lastIndexOf(')');
  const fields = line.slice(nameEnd + 2).split(' ');
  // proc(5) counts from 1 and has the state, the first of these, as field 3
  const field = (number: number) => Number(fields[number - 3]);
  return {
    name: line.slice(line.indexOf('(') + 1, nameEnd),
    parent: field(4),
    own: (field(14) + field(15)) * MS_PER_TICK,
    ended: (field(16) + field(17)) * MS_PER_TICK,
  };
}

/** The CPU time of the process `root` and its descendants. @throws Error where it is no process, or this is not Linux */
export async function cpuTime(root: number): Promise<CpuTime> {
  const stats = await readStats();
  if (!stats.has(root)) throw new Error(`there is no process ${root}`);
  const time: CpuTime = { main: 0, pool: 0 };
  for (const pid of treeOf(root, stats)) {
    const pool = await poolTime(pid);
    const { own, ended } = stats.get(pid) ?? { own: 0, ended: 0 };
    time.pool += pool;
    time.main += own + ended - pool;
  }
  return time;
}

/** The process that started `pid`. */
export async function parentOf(pid: number): Promise<number> {
  return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8')).parent;
}

/** The process `root` and its descendants. */
export function treeOf(root: number, stats: ReadonlyMap<number, Pick<ProcStat, 'parent'>>): number[] {
  const tree = [root];
  for (const parent of tree) {
    for (const [pid, stat] of stats) if (stat.parent === parent) tree.push(pid);
  }
  return tree;
}

async function readStats(): Promise<Map<number, ProcStat>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => [Number(pid), await readIfThere(`/proc/${pid}/stat`)] as const),
  );
  return new Map(stats.flatMap(([pid, line]) => (line === undefined ? [] : [[pid, parseStat(line)]])));
}

async function poolTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lines = await Promise.all(threads.map((thread) => readIfThere(`/proc/${pid}/task/${thread}/stat`)));
  return lines
    .flatMap((line) => (line === undefined ? [] : parseStat(line)))
    .filter(({ name }) => name === POOL_THREAD)
    .reduce((sum, { own }) => sum + own, 0);
}

/** Processes end while they are read. */
function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

const EVERY_MS = 200;

/** Watches the resident memory of a process and its descendants, together. */
export function watchMemory(root: number): { peak(): number; stop(): void } {
  let peak = 0;
  const timer = setInterval(() => {
    residentMegabytes(root).then(
      (megabytes) => {
        peak = Math.max(peak, megabytes);
      },
      // it has just ended
      () => {},
    );
  }, EVERY_MS);
  return {
    /** The most megabytes since the last call of this. */
    peak() {
      const seen = peak;
      peak = 0;
      return seen;
    },
    stop: () => clearInterval(timer),
  };
}

async function residentMegabytes(root: number): Promise<number> {
  const statuses = await Promise.all(
    treeOf(root, await readStats()).map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  );
  return statuses.reduce((sum, status) => sum + residentIn(status), 0);
}

/** Megabytes by a `/proc/PID/status`; 0 where the process has none left. */
function residentIn(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
