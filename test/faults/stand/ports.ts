import { createServer } from 'node:net';

let next = Number(process.env.FAULTS_PORT ?? 28_000);

/** Ports that are free, one after the other, from `FAULTS_PORT` on. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = next;
    next += count;
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (!free.includes(false)) return first;
  }
}

/** One such port. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
