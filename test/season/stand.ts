import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import { confirmed } from '@fan-api/sdk/web3';
import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js';
import { openRuntime } from '../../adapters/process/runtime.ts';
import { deployProgram } from '../../src/chain/cluster/deploy-program.ts';
import { initializeProgram } from '../../src/chain/cluster/initialize-program.ts';
import { readKeypairFile } from '../../src/chain/cluster/keypair-file.ts';
import { openCluster } from '../../src/chain/cluster/open-cluster.ts';
import { createServiceAccount } from '../../src/people/staff/service-accounts.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { createInbox } from '../../src/sign-in/verification/inbox.ts';
import { answers, freePorts, type NetworkDelays, startNetwork } from '../support/child.ts';
import { type PartnerAccess, registerPartnerClient } from './register-partner.ts';
import { type Restartable, restartable } from './restartable.ts';

/** All that a season needs: the service with its production on a local network, and the company's own systems. */
export interface Stand {
  folder: string;
  /** Of a process that serves nothing, over the same database. */
  context(): ServiceContext;
  origin: string;
  adminUrl: string;
  connection: Connection;
  programId: string;
  partners: readonly PartnerAccess[];
  tokens: { boxOffice: string; gate: string };
  service: Restartable;
  boxOffice: Restartable;
  gate: Restartable;
  boxOfficeUrl: string;
  /** The box office imports what is put here. */
  rowFolder: string;
  gateUrl: string;
  gateFile: string;
  /** The newest code that reached a phone since a time in milliseconds. */
  codeOf(phone: string, since: number): Promise<string | undefined>;
  /** @param keepsFiles whether the folder stays, to be looked at */
  close(keepsFiles?: boolean): Promise<void>;
}

const FUNDS_SOL = 1_000;
const PARTNERS = ['Front Row', 'Second Hand'];
/** More than a season sends in an hour. */
const CODES = '1000000';

/** Starts everything on free ports, and sets the company up as docs/going-live.md says. */
export async function openStand(delays: NetworkDelays): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'season-'));
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (keepsFiles = false) => {
    for (const step of closers.splice(0).toReversed()) await step();
    if (!keepsFiles) await rm(folder, { recursive: true, force: true });
  };
  try {
    // as root, PostgreSQL runs as another user, who must be able to come in
    await chmod(folder, 0o755);
    const [postgres, { rpcUrl, network }] = await Promise.all([
      startEmbeddedPostgres(join(folder, 'postgres-home')),
      startNetwork(await freePorts(2), folder, delays),
    ]);
    closers.push(
      () => postgres.stop(),
      () => network.kill('SIGTERM'),
    );
    const [port, metrics, gatePort, boxOfficePort] = await Promise.all(Array.from({ length: 4 }, () => freePorts()));
    const program = Keypair.generate();
    const env = {
      ...{ PORT: String(port), METRICS_PORT: String(metrics), DATA_DIR: join(folder, 'data'), LOCALNET: 'false' },
      ...{ DATABASE_URL: postgres.url, KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
      ...{ PRODUCTION_RPC_URL: rpcUrl, PRODUCTION_PROGRAM_ID: program.publicKey.toBase58(), LOG_LEVEL: 'warn' },
      ...{ VERIFICATION_CLIENT_LIMIT: CODES, VERIFICATION_ADDRESS_LIMIT: CODES, VERIFICATION_RANGE_LIMIT: CODES },
    };
    const { runtime, close: closeRuntime } = await openRuntime(readConfig(env), { share: true });
    closers.push(closeRuntime);
    const connection = new Connection(rpcUrl, 'confirmed');
    await deployTo(runtime, connection, program, folder);
    const partners: PartnerAccess[] = [];
    for (const name of PARTNERS) {
      const wallet = Keypair.generate();
      await fund(connection, wallet.publicKey);
      partners.push(await registerPartnerClient(runtime, name, wallet));
    }
    const tokens = {
      boxOffice: await tokenOf(runtime, 'Box office', ['inventory:write']),
      gate: await tokenOf(runtime, 'Gate', ['inventory:read', 'inventory:write']),
    };
    const origin = `http://localhost:${port}`;
    const own = (name: string) => ({
      ADMIN_URL: `${origin}/admin`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? 'node_modules/.cache/compiled',
      PORT: String(name === 'gate' ? gatePort : boxOfficePort),
    });
    const rowFolder = join(folder, 'rows');
    await mkdir(rowFolder);
    const [gateUrl, boxOfficeUrl] = [`http://127.0.0.1:${gatePort}`, `http://127.0.0.1:${boxOfficePort}`];
    const gateFile = join(folder, 'gate.ndjson');
    const service = restartable('service', 'adapters/process/main.ts', {
      env: { ...env, NODE_COMPILE_CACHE: own('service').NODE_COMPILE_CACHE },
      log: join(folder, 'service.log'),
      isReady: () => answers(`${origin}/readyz`),
    });
    const boxOffice = restartable('box office', 'test/season/box-office.ts', {
      env: { ...own('box office'), INVENTORY_TOKEN: tokens.boxOffice, FOLDER: rowFolder },
      log: join(folder, 'box-office.log'),
      isReady: () => answers(boxOfficeUrl),
    });
    const gate = restartable('gate', 'test/season/gate.ts', {
      env: { ...own('gate'), INVENTORY_TOKEN: tokens.gate, GATE_FILE: gateFile },
      log: join(folder, 'gate.log'),
      isReady: () => answers(gateUrl),
    });
    for (const process of [service, boxOffice, gate]) {
      closers.push(process.stop);
      await process.start();
    }
    const inbox = createInbox(runtime.pool);
    return {
      ...{ folder, origin, adminUrl: `${origin}/admin`, connection, programId: env.PRODUCTION_PROGRAM_ID, partners },
      ...{ tokens, service, boxOffice, gate, boxOfficeUrl, rowFolder, gateUrl, gateFile, close },
      context: () => createContext(runtime, null),
      async codeOf(phone, since) {
        const sent = (await inbox.read()).find((entry) => entry.phone === phone && entry.sentAt.getTime() >= since);
        return sent?.code;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fund(connection: Connection, address: PublicKey): Promise<void> {
  await confirmed(connection, await connection.requestAirdrop(address, FUNDS_SOL * LAMPORTS_PER_SOL));
}

async function tokenOf(runtime: Runtime, name: string, scopes: string[]): Promise<string> {
  const wish = { name, scopes, days: 30, callsPerMinute: 6_000 };
  return (await createServiceAccount(createContext(runtime, null), wish, 'system')).value;
}

/** Brings the ticket program onto the network, under keys of the company. */
async function deployTo(runtime: Runtime, connection: Connection, program: Keypair, folder: string): Promise<void> {
  const context = createContext(runtime, null);
  const cluster = await openCluster(context, 'production');
  await fund(connection, new PublicKey(cluster.payer));
  const [programFile, adminFile] = [join(folder, 'program.json'), join(folder, 'admin.json')];
  await writeFile(programFile, JSON.stringify([...program.secretKey]));
  await writeFile(adminFile, JSON.stringify([...Keypair.generate().secretKey]));
  const [programKey, admin] = [readKeypairFile(programFile), readKeypairFile(adminFile)];
  const code = readProgramCode();
  await deployProgram(cluster, context.signer, { code, admin, program: programKey, report: () => undefined });
  await initializeProgram(cluster, context.signer, admin);
}
