import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { freePorts } from './child.ts';
import { CHILD_ENV } from './child-env.ts';
import { createDatabase, type TestDatabase } from './database.ts';

/** A process of the service, as `npm start` runs it. */
export interface Process {
  child: ChildProcess;
  port: number;
  metricsPort: number;
  /** All that it wrote so far. */
  output(): string;
  errors(): string;
  /** Until it says that it is ready, or ends. */
  ready(): Promise<boolean>;
  /** @returns its exit code */
  ended(): Promise<number | null>;
}

export interface MainProcess {
  /** Of the whole test file; filled in before its first test. */
  stage: { database: TestDatabase; dataDir: string };
  /** @param env over the test's own settings */
  run(env?: Record<string, string>, file?: string): Promise<Process>;
  /** As `run`, for the tests of the whole file. */
  keep(env?: Record<string, string>): Promise<Process>;
}

const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 5).toString('hex');

/** `adapters/process/main.ts` over a database of the test file's own; what a test leaves running is killed after it. */
export function mainProcess(): MainProcess {
  const stage = {} as MainProcess['stage'];
  const children = { test: [] as ChildProcess[], file: [] as ChildProcess[] };
  beforeAll(async () => {
    stage.database = await createDatabase();
    stage.dataDir = await mkdtemp(join(tmpdir(), 'fan-api-main-'));
  });
  afterEach(() => killAll(children.test));
  afterAll(async () => {
    await killAll(children.file);
    await stage.database.drop();
    await rm(stage.dataDir, { recursive: true });
  });
  async function start(owned: ChildProcess[], env: Record<string, string> = {}, file = 'adapters/process/main.ts') {
    const port = Number(env.PORT ?? (await freePorts()));
    const metricsPort = await freePorts();
    const child = spawn('node_modules/.bin/node', [file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...CHILD_ENV,
        DATA_DIR: stage.dataDir,
        DATABASE_URL: stage.database.url,
        KEY_ENCRYPTION_KEY,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        SURFACES: 'auth,login,playground',
        ...env,
      },
    });
    owned.push(child);
    return { port, metricsPort, ...watch(child) };
  }
  return {
    stage,
    run: (env, file) => start(children.test, env, file),
    keep: (env) => start(children.file, env),
  };
}

async function killAll(children: ChildProcess[]): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

function watch(child: ChildProcess): Omit<Process, 'port' | 'metricsPort'> {
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let output = '';
  let errors = '';
  const ready = new Promise<true>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes('"msg":"ready"')) resolve(true);
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
  });
  return {
    child,
    output: () => output,
    errors: () => errors,
    ready: () => Promise.race([ready, exited.then(() => false)]),
    ended: () => exited,
  };
}

/** A token request that a server has begun to read: it has the header, and has asked for the body. */
export async function halfSent(origin: string) {
  const body = 'grant_type=nonsense';
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': body.length,
    expect: '100-continue',
  };
  const call = request(`${origin}/oauth2/token`, { method: 'POST', agent: false, headers });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  // a server that is killed does not answer
  answered.catch(() => undefined);
  await once(call, 'continue');
  call.write(body.slice(0, 5));
  return {
    /** Sends the other half. @returns the status of the answer */
    async finish(): Promise<number | undefined> {
      call.end(body.slice(5));
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    },
  };
}

/** Eight callers without end: each on a connection that it keeps, unless `keepAlive` is false; `untilClosed` ends one with its connection. */
export function startLoad(port: number, { keepAlive = true, untilClosed = false } = {}) {
  const agent = new Agent({ keepAlive, maxSockets: 8 });
  const load = { answered: 0, failed: 0, hung: 0, ended: Promise.resolve(), stop: () => load.ended };
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      try {
        const call = request(`http://localhost:${port}/healthz`, { agent, timeout: 20_000 }).end();
        call.on('timeout', () => {
          load.hung += 1;
          call.destroy();
        });
        const [answer] = (await once(call, 'response')) as [IncomingMessage];
        answer.resume();
        await once(answer, 'end');
        load.answered += 1;
        // a new connection would be refused some time
        if (untilClosed && answer.headers.connection === 'close') return;
      } catch {
        load.failed += 1;
        if (untilClosed) return;
      }
    }
  };
  load.ended = Promise.all(Array.from({ length: 8 }, caller)).then(() => agent.destroy());
  load.stop = () => {
    stopped = true;
    return load.ended;
  };
  return load;
}
