import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { freePorts } from '../support/child.ts';

const run = promisify(execFile);
/** Kept between runs. */
const FOLDER = 'node_modules/.cache/moto';
const MOTO = 'moto[server,kms]==5.2.5';
const PATIENCE_MS = 30_000;
const REGION = 'eu-west-1';

/** AWS KMS as `moto` plays it, on loopback. */
export interface Moto {
  port: number;
  url: string;
  /** A new symmetric key. @returns its ARN */
  createKey(): Promise<string>;
  /** Ends the server; its keys are gone with it. */
  stop(): Promise<void>;
  /** Does not answer for a while, as a service behind a broken network. */
  freeze(): void;
  thaw(): void;
}

/** Installs moto from PyPI on first use (needs python3 with venv) and starts its server. */
export async function startMoto(): Promise<Moto> {
  if (!existsSync(join(FOLDER, 'bin/moto_server'))) {
    await run('python3', ['-m', 'venv', FOLDER]);
    await run(join(FOLDER, 'bin/pip'), ['install', '--quiet', MOTO], { timeout: 300_000 });
  }
  const port = await freePorts();
  const server = spawn(join(FOLDER, 'bin/moto_server'), ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(url, server);
  return {
    port,
    url,
    async createKey() {
      const client = new KMSClient({ region: REGION, endpoint: url });
      const { KeyMetadata } = await client.send(new CreateKeyCommand({}));
      client.destroy();
      return KeyMetadata?.Arn ?? '';
    },
    async stop() {
      server.kill('SIGCONT');
      server.kill('SIGTERM');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
  };
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until && server.exitCode === null) {
    const answer = await fetch(`${url}/moto-api/data.json`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  server.kill('SIGKILL');
  throw new Error('moto_server does not answer');
}
