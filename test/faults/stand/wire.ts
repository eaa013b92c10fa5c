import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './ports.ts';

/** The address of the database: a wire that can hang, be slow, be cut, lose answers, or lead to another server. */
export interface Wire {
  port: number;
  /** New connections go there; open ones stay where they are. */
  leadTo(port: number): void;
  /** Each packet takes this long. */
  delay(ms: number): void;
  /** Nothing passes until `mend`; then what waited does. New connections open and hang too. */
  hang(): void;
  /** Ends every connection, and lets nobody in until `mend`. */
  cut(): void;
  /** Ends each open connection at the moment when it is answered next: what was asked has been done. */
  loseNextAnswers(): void;
  mend(): void;
  close(): Promise<void>;
}

interface Line {
  near: Socket;
  far: Socket;
  losesNextAnswer: boolean;
}

export async function openWire(target: number): Promise<Wire> {
  let [to, delayMs, hangs, isCut] = [target, 0, false, false];
  const lines = new Set<Line>();
  const waiting: { due: number; write: () => void }[] = [];
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(to, '127.0.0.1');
    const line: Line = { near, far, losesNextAnswer: false };
    lines.add(line);
    const end = () => {
      lines.delete(line);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
    near.on('data', (bytes) => pass(() => far.write(bytes)));
    far.on('data', (bytes) => (line.losesNextAnswer ? end() : pass(() => near.write(bytes))));
  });

  /** In order, whatever the delay was when each came. */
  function pass(write: () => void): void {
    waiting.push({ due: performance.now() + delayMs, write });
    flush();
    if (delayMs > 0) setTimeout(flush, delayMs + 1);
  }

  function flush(): void {
    while (!hangs && waiting[0] !== undefined && waiting[0].due <= performance.now()) waiting.shift()?.write();
  }

  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const { near, far } of lines) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port,
    leadTo: (next) => {
      to = next;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    hang: () => {
      hangs = true;
    },
    cut: () => {
      isCut = true;
      cutAll();
    },
    loseNextAnswers: () => {
      for (const line of lines) line.losesNextAnswer = true;
    },
    mend: () => {
      [hangs, isCut, delayMs] = [false, false, 0];
      for (const packet of waiting) packet.due = 0;
      flush();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cutAll();
      await closed;
    },
  };
}
