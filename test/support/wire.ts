import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

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

/** The two ends of a connection through a proxy. */
export interface Line {
  near: Socket;
  far: Socket;
  end(): void;
}

/** A TCP proxy before a database, which can go down and come back at its port. @param use what becomes of a new connection */
export async function openProxy(databaseUrl: string, use: (line: Line) => void) {
  const target = new URL(databaseUrl);
  const lines = new Set<Line>();
  let down: Promise<void> | undefined;
  const server = createServer((near) => {
    const far = connect(proxy.leadsTo, target.hostname);
    const end = () => {
      lines.delete(line);
      near.destroy();
      far.destroy();
    };
    const line = { near, far, end };
    lines.add(line);
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end);
    use(line);
  });
  const { port } = await listen(server);
  const proxy = {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    port,
    /** The port that new connections go to. */
    leadsTo: Number(target.port),
    /** Ends every connection, and refuses others until `mend`. */
    async cut(): Promise<void> {
      down ??= new Promise((resolve) => server.close(() => resolve()));
      for (const line of lines) line.end();
      await down;
    },
    async mend(): Promise<void> {
      if (down === undefined) return;
      await down;
      down = undefined;
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  return proxy;
}

export async function openWire(databaseUrl: string): Promise<Wire> {
  let [delayMs, hangs] = [0, false];
  /** Of the connections so far. */
  const states: { losesNextAnswer: boolean; isSilent: boolean }[] = [];
  const waiting: { due: number; write: () => void }[] = [];
  const proxy = await openProxy(databaseUrl, ({ near, far, end }) => {
    const state = { losesNextAnswer: false, isSilent: false };
    states.push(state);
    near.on('data', (bytes) => {
      if (!state.isSilent) pass(() => far.write(bytes));
    });
    far.on('data', (bytes) => {
      if (state.losesNextAnswer) end();
      else if (!state.isSilent) pass(() => near.write(bytes));
    });
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

  return {
    url: proxy.url,
    port: proxy.port,
    leadTo: (next) => {
      proxy.leadsTo = next;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    hang: () => {
      hangs = true;
    },
    silence: () => {
      for (const state of states) state.isSilent = true;
    },
    cut: proxy.cut,
    loseNextAnswers: () => {
      for (const state of states) state.losesNextAnswer = true;
    },
    async mend() {
      [hangs, delayMs] = [false, 0];
      for (const packet of waiting) packet.due = 0;
      flush();
      await proxy.mend();
    },
    close: proxy.cut,
  };
}
