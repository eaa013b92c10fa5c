/**
 * The sandbox in a test: `startSandbox` runs the command in a process of its own, and speaks with it as any other client does, by HTTP.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type SandboxOptions, wordsOf } from './command-words.ts';
import type { SandboxDescription, SandboxUser } from './sandbox-description.ts';
import type { Consent, SignInUser } from './sign-in.ts';

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
  const printed = await firstLine(child);
  return {
    ...connect(printed),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/**
 * A sandbox that runs already, such as a service of a CI.
 * @param control its control address: `http://localhost:4103` where it was started with `--port 4100`
 */
export async function connectSandbox(control: string): Promise<Omit<Sandbox, 'stop'>> {
  return connect(await call<SandboxDescription>(control));
}

function connect(about: SandboxDescription): Omit<Sandbox, 'stop'> {
  const failures = `${about.api}/sandbox`;
  return {
    issuer: about.issuer,
    api: about.api,
    client: { id: about.client_id, redirectUris: about.redirect_uris, scopes: about.scopes },
    users: about.test_users,
    network: { rpcUrl: about.rpc_url, programId: about.program_id },
    playground: about.playground,
    async signIn({ phone, code }, { url, ...consent }) {
      const { callback } = await call<{ callback: string }>(`${about.control}/sign-in`, {
        url,
        phone,
        code,
        ...consent,
      });
      return new URL(callback);
    },
    async fail(failure, arming = {}) {
      await call(`${failures}/failures`, { failure, ...arming }, about.sandbox_key);
    },
    async travel(seconds) {
      const { clock } = await call<{ clock: { ahead_seconds: number } }>(failures, undefined, about.sandbox_key);
      await call(`${failures}/clock`, { ahead_seconds: clock.ahead_seconds + seconds }, about.sandbox_key);
    },
    async reset() {
      await call(`${about.control}/reset`, {});
    },
  };
}

async function call<Answer>(url: string, body?: object, key?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const answer = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** The line of JSON that the command prints. @throws Error with its messages where it ends instead */
async function firstLine(child: ChildProcess & { stdout: Readable; stderr: Readable }): Promise<SandboxDescription> {
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  throw new Error(said.trim() || `fan-api-sandbox ended with code ${child.exitCode}`);
}
