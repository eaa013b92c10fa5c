/** `npm run test:image`: the images of `deploy/Dockerfile` are built and run, the service's with the settings of the Kubernetes example. */
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { answers, freePorts } from '../../support/child.ts';
import { asAdmin } from '../../support/database.ts';
import { TELL_PARSER } from '../../support/tell-parser.ts';
import { type Image, imageBuilder, imageFolder, whyNot } from './build-image.ts';
import { type Container, endContainers, runImage } from './run-image.ts';
import { sellThrough } from './sell-through.ts';

const reason = whyNot();

/** A container of a workload, as far as its start needs it. */
interface Workload {
  command?: string[];
  env: { name: string; value: string }[];
}

async function manifest(name: string) {
  return parse(await readFile(`deploy/kubernetes/${name}.yaml`, 'utf8'));
}

async function workload(name: string): Promise<Workload> {
  return (await manifest(`base/${name}`)).spec.template.spec.containers[0];
}

/** The settings of the example and of a workload, but without a Solana cluster, and on loopback. */
async function settingsOf({ env }: Workload): Promise<Record<string, string>> {
  const literals: string[] = (await manifest('example/kustomization')).configMapGenerator[0].literals;
  const example = Object.fromEntries(literals.map((pair) => pair.split(/=(.*)/s, 2)));
  delete example.SANDBOX_RPC_URL;
  delete example.SANDBOX_PROGRAM_ID;
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return { ...example, ...own, HOST: '127.0.0.1', METRICS_HOST: '127.0.0.1' };
}

/** Files that only root and the group of the image can read, as `defaultMode` and `fsGroup` make them. */
async function writeSecrets(folder: string, databaseUrl: string): Promise<void> {
  const files = {
    'secrets/DATABASE_URL': databaseUrl,
    'secrets/KEY_ENCRYPTION_KEY': randomBytes(32).toString('hex'),
    'secrets/TWILIO_API_KEY_SECRET': '0'.repeat(32),
    'secrets/STAFF_OIDC_CLIENT_SECRET': 'secret',
    'migration/DATABASE_URL': databaseUrl,
  };
  for (const name of ['secrets', 'migration']) await mkdir(join(folder, name), { recursive: true });
  for (const [name, value] of Object.entries(files)) {
    await writeFile(join(folder, name), value, { mode: 0o440 });
    await chown(join(folder, name), 0, 1000);
  }
}

/** Tries to write a file in each folder, and prints how that ended. */
const WRITE = `for (const folder of process.argv.slice(1)) {
  let outcome = 'written';
  try { fs.writeFileSync(folder + '/file', ''); } catch (error) { outcome = error.code; }
  console.log(folder, outcome);
}`;

describe.skipIf(reason !== undefined)(`the image${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  let image: Image;
  let build: Awaited<ReturnType<typeof imageBuilder>>;
  let secrets: string;
  let service: Container;
  let settings: Record<string, string>;
  const ends: (() => Promise<unknown>)[] = [endContainers];

  beforeAll(async () => {
    const { folder, remove } = await imageFolder();
    ends.push(remove);
    secrets = join(folder, 'secrets');
    const postgresUrl = inject('postgresUrl');
    await asAdmin(postgresUrl, 'create database image');
    await writeSecrets(secrets, Object.assign(new URL(postgresUrl), { pathname: '/image' }).href);
    build = await imageBuilder(folder);
    image = await build();
    const { size, buildSeconds } = image;
    console.info(`image of ${size.image} over a base of ${size.base}, built in ${buildSeconds.toFixed(0)} s`);
    const [PORT, METRICS_PORT] = [String(await freePorts()), String(await freePorts())];
    settings = { ...(await settingsOf(await workload('deployment'))), PORT, METRICS_PORT };
  }, 1_800_000);
  afterAll(async () => {
    for (const end of ends) await end();
  }, 600_000);

  it('belongs to root: the service cannot change its own files', async () => {
    const found = runImage(image, secrets, {}, ['find', '/app', '!', '-user', 'root', '-print', '-quit']);
    expect([await found.ended(), found.output(), found.errors()]).toEqual([0, '', '']);
  });

  it('can write nowhere but in /tmp', async () => {
    const folders = ['/', '/app', '/app/.compiled', '/etc/fan-api/secrets', '/var/tmp', '/tmp'];
    const ran = runImage(image, secrets, {}, ['node', '-e', WRITE, ...folders]);
    expect(await ran.ended()).toBe(0);
    const outcomes = folders.map((folder) => `${folder} ${folder === '/tmp' ? 'written' : 'EROFS'}`);
    expect(ran.output().trim().split('\n')).toEqual(outcomes);
  });

  it('does not start on a database without a schema, and says what is missing', async () => {
    const refused = runImage(image, secrets, settings);
    expect(await refused.ended()).toBe(1);
    expect(refused.errors()).toBe(
      'The database has no schema yet. Run npm run migrate first, or set MIGRATE_ON_START=true.\n',
    );
  });

  it('migrates with the command of the Kubernetes Job, and finds nothing to do the second time', async () => {
    const job = await workload('migration');
    const env = await settingsOf(job);
    const first = runImage(image, secrets, env, job.command);
    expect([await first.ended(), first.output()]).toEqual([0, expect.stringMatching(/^\d{4}-/)]);
    const second = runImage(image, secrets, env, job.command);
    expect([await second.ended(), second.output()]).toEqual([0, 'The schema is up to date.\n']);
  });

  it('then serves, as user 1000 without a capability', async () => {
    const began = performance.now();
    service = runImage(image, secrets, { ...settings, NODE_OPTIONS: TELL_PARSER });
    const url = `http://127.0.0.1:${settings.PORT}/readyz`;
    const isReady = async () => !service.isRunning() || (await answers(url).catch(() => false));
    await expect.poll(isReady, { timeout: 120_000, interval: 10 }).toBe(true);
    const seconds = (performance.now() - began) / 1_000;
    expect(service.errors()).toBe('');
    expect(await (await fetch(url)).json()).toEqual({ status: 'ready' });
    console.info(`ready after ${seconds.toFixed(1)} s, on a machine with load ${loadavg()[0]?.toFixed(1)}`);

    expect(service.status('Uid')).toEqual(['1000', '1000', '1000', '1000']);
    expect(service.status('Gid')).toEqual(['1000', '1000', '1000', '1000']);
    expect(service.status('CapEff')).toEqual(['0'.repeat(16)]);
    // the first process of its container, which signals reach only if it handles them
    expect(service.status('NSpid')?.at(-1)).toBe('1');
  });

  it('has a health check that says whether it serves', async () => {
    const [kind, ...command] = image.config.Healthcheck.Test;
    expect(kind).toBe('CMD');
    const [PORT, free] = [String(settings.PORT), String(await freePorts())];
    expect(await runImage(image, secrets, { PORT }, command).ended()).toBe(0);
    expect(await runImage(image, secrets, { PORT: free }, command).ended()).toBe(1);
  });

  it('ends on SIGTERM with 0 within five seconds, and has used the compiled modules alone', async () => {
    const began = performance.now();
    service.signal('SIGTERM');
    const code = await service.ended();
    expect(code, service.output()).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(service.errors().trim()).toBe('parser:false');
  });

  it('the stage `sandbox` is a service for the CI of partners, who list a ticket and sell it', async () => {
    const sandbox = await build('sandbox');
    const port = await freePorts(4);
    const { Entrypoint, Cmd } = sandbox.config;
    const command = [...(Entrypoint ?? []), ...Cmd.map((word) => (word === '4100' ? String(port) : word))];
    const began = performance.now();
    const container = runImage(sandbox, secrets, {}, command);
    const control = `http://localhost:${port + 3}`;
    const isReady = async () => !container.isRunning() || (await answers(control).catch(() => false));
    await expect.poll(isReady, { timeout: 120_000, interval: 10 }).toBe(true);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.info(
      `sandbox of ${sandbox.size.image}, built in ${sandbox.buildSeconds.toFixed(0)} s, ready after ${seconds} s`,
    );
    expect(container.errors()).toBe('');
    await sellThrough(control);
    container.signal('SIGTERM');
    expect(await container.ended(), container.errors()).toBe(0);
  }, 1_800_000);
});
