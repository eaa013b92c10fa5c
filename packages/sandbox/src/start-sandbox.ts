/**
 * The sandbox in a test: `startSandbox` runs the command in a process of its own, and speaks with it as any other client does, by HTTP.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type SandboxOptions, wordsOf } from './command-words.ts';
import type { SandboxDescription, SandboxUser } from './sandbox-description.ts';
import { type Consent, type SignInUser, walkSignIn } from './sign-in.ts';

export type { SandboxOptions } from './command-words.ts';
export type { SandboxTicket, SandboxUser } from './sandbox-description.ts';

/** How a failure is armed: see the page "Failures on demand" of the documentation. */
export interface Arming {
  /** Such as `tickets.list`: any that the failure has, unless given. */
  operation?: string;
  /** How many calls meet it; 1 unless given. */
  times?: number;
  seconds?: number;
  /** Minutes after which it is no longer armed; 15 unless given. */
  minutes?: number;
}

/** A running sandbox. */
export interface Sandbox {
  issuer: string;
  /** Address of the Fan API. */
  api: string;
  /** Of your application: its registration at the authorization server. */
  client: { id: string; redirectUris: string[]; scopes: string[] };
  users: SandboxUser[];
  /** Address of the local Solana network, and of the ticket program there. */
  network: { rpcUrl: string; programId: string };
  /** For people: a partner's application in the browser. */
  playground: string;
  /**
   * Signs a test user in, through the hosted pages.
   * @param choice.url the authorization request that your code made
   * @returns where the browser ends: give it to your own callback
   */
  signIn(user: SignInUser, choice: { url: string | URL } & Consent): Promise<URL>;
  /** Arms a failure for the client, such as `rate_limited`. @throws Error that names what is wrong with it */
  fail(failure: string, arming?: Arming): Promise<void>;
  /** Moves the clock of the client on: all that it holds becomes older by so many seconds. @throws Error beyond a year */
  travel(seconds: number): Promise<void>;
  /** Brings the state of the beginning back, of the service and of the network. For use between tests. */
  reset(): Promise<void>;
  /** Ends it; nothing is left. */
  stop(): Promise<void>;
}

/**
 * Starts the Fan API and its authorization server, with a database and a Solana network of their own.
 * @throws Error with what the command says where it does not start
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const command = [fileURLToPath(new URL('./main.ts', import.meta.url)), '--json', ...wordsOf(options)];
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = linesOf(child);
  const printed = (await lines.next()) as SandboxDescription;

  async function control(path: string, body?: object): Promise<{ clock: { ahead_seconds: number } }> {
    const headers = { authorization: `Bearer ${printed.sandbox_key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${printed.api}/sandbox${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { clock: { ahead_seconds: number } };
  }

  return {
    issuer: printed.issuer,
    api: printed.api,
    client: { id: printed.client_id, redirectUris: printed.redirect_uris, scopes: printed.scopes },
    users: printed.test_users,
    network: { rpcUrl: printed.rpc_url, programId: printed.program_id },
    playground: printed.playground,
    signIn: (user, { url, ...consent }) => walkSignIn(url, printed.login, user, consent),
    async fail(failure, arming = {}) {
      await control('/failures', { failure, ...arming });
    },
    async travel(seconds) {
      const { clock } = await control('');
      await control('/clock', { ahead_seconds: clock.ahead_seconds + seconds });
    },
    async reset() {
      child.stdin.write('reset\n');
      const done = (await lines.next()) as { error?: string };
      if (done.error !== undefined) throw new Error(`reset: ${done.error}`);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The lines of JSON that the command prints, one after the other. Its messages are thrown where it ends instead. */
function linesOf(child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream }) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  return {
    async next(): Promise<unknown> {
      const { value, done } = await lines.next();
      if (!done) return JSON.parse(value);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      throw new Error(said.trim() || `fan-api-sandbox ended with code ${child.exitCode}`);
    },
  };
}
