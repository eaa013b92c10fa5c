import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a database that can hang, be slow, be cut, lose answers, or lead to another server. */
export interface Wire {
  /** The database at its end. */
  url: string;
  port: number;
  /** New connections go there; open ones stay where they are. */
  leadTo(port: number): void;
  /** Each packet takes this long. */
  delay(ms: number): void;
  /** Nothing passes until `mend`; then what waited does. New connections open and hang too. */
  hang(): void;
  /** Nothing passes any more over the connections that are open; others work. */
  silence(): void;
  /** Ends every connection, and refuses others until `mend`. */
  cut(): Promise<void>;
  /** Ends each open connection at the moment when it is answered next: what was asked has been done. */
  loseNextAnswers(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
}

interface Line {
  near: Socket;
  far: Socket;
  losesNextAnswer: boolean;
  isSilent: boolean;
}

export async function openWire(databaseUrl: string): Promise<Wire> {
  const { hostname, port: target } = new URL(databaseUrl);
  let [to, delayMs, hangs] = [Number(target), 0, false];
  let cut: Promise<void> | undefined;
  const lines = new Set<Line>();
  const waiting: { due: number; write: () => void }[] = [];
  const server = createServer((near) => {
    const far = connect(to, hostname);
    const line: Line = { near, far, losesNextAnswer: false, isSilent: false };
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
    near.on('data', (bytes) => pass(line, () => far.write(bytes)));
    far.on('data', (bytes) => (line.losesNextAnswer ? end() : pass(line, () => near.write(bytes))));
  });

  /** In order, whatever the delay was when each came. */
  function pass({ isSilent }: Line, write: () => void): void {
    if (isSilent) return;
    waiting.push({ due: performance.now() + delayMs, write });
    flush();
    if (delayMs > 0) setTimeout(flush, delayMs + 1);
  }

  function flush(): void {
    while (!hangs && waiting[0] !== undefined && waiting[0].due <= performance.now()) waiting.shift()?.write();
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  await listen(0);
  const { port } = server.address() as AddressInfo;
  async function goDown(): Promise<void> {
    cut ??= new Promise((resolve) => server.close(() => resolve()));
    for (const { near, far } of lines) {
      near.destroy();
      far.destroy();
    }
    await cut;
  }
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
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
    silence: () => {
      for (const line of lines) line.isSilent = true;
    },
    cut: goDown,
    loseNextAnswers: () => {
      for (const line of lines) line.losesNextAnswer = true;
    },
    async mend() {
      [hangs, delayMs] = [false, 0];
      for (const packet of waiting) packet.due = 0;
      flush();
      if (cut === undefined) return;
      await cut;
      cut = undefined;
      await listen(port);
    },
    close: goDown,
  };
}
