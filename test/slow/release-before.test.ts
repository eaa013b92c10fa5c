import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/entities/migrations/all.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../support/partner.ts';
import { KEY_ENCRYPTION_KEY, type TestApp } from '../support/start-app.ts';
import { type Child, freePortPair, startChild } from './kill/child-process.ts';

/** D-224: processes of the last two releases beside the newest, over its schema. A release is a state of the repository with fewer migrations. */
const RELEASES = 2;
const PAGES = [
  'admin-ui/staff',
  'admin-ui/partner',
  ...['fan-pages/login', 'fan-pages/portal', 'public/playground', 'public/docs'].map((room) => `adapters/${room}/ui`),
];
const ALL = 'src/entities/migrations/all.ts';

let folder: string;
let database: TestDatabase;
const children: Child[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-before-'));
  database = await createDatabase();
});
afterAll(async () => {
  for (const child of children) await child.kill('SIGTERM');
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 28 });

/** @returns commits, newest first; none in a clone without history */
function releasesBefore(): { commit: string; lacks: number }[] {
  const found: { commit: string; lacks: number }[] = [];
  let fewest = MIGRATIONS.length;
  for (const commit of git('log', '--format=%H', '--', 'src/entities/migrations').split('\n').filter(Boolean)) {
    const text = execOrNothing(() => git('show', `${commit}^:${ALL}`));
    const names = MIGRATIONS.filter(({ name }) => text.includes(`'${name}'`));
    if (names.length === 0 || names.length >= fewest) continue;
    fewest = names.length;
    found.push({ commit: `${commit}^`, lacks: MIGRATIONS.length - names.length });
    if (found.length === RELEASES) break;
  }
  return found;
}

function execOrNothing(work: () => string): string {
  try {
    return work();
  } catch {
    return '';
  }
}

/** The code of a commit, with the dependencies and pages of this one. */
async function checkOut(commit: string, to: string): Promise<void> {
  await mkdir(to);
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', to], { input: archive });
  await symlink(join(process.cwd(), 'node_modules'), join(to, 'node_modules'));
  for (const page of PAGES) await cp(join(page, 'dist'), join(to, page, 'dist'), { recursive: true });
}

/** The address of a proxy that is not there: all have the same issuer, and answer under any name. */
const ISSUER = 'http://localhost:23999';
const ADDRESSES = {
  AUTH_URL: ISSUER,
  API_URL: `${ISSUER}/fan`,
  LOGIN_URL: `${ISSUER}/login`,
  ADMIN_URL: `${ISSUER}/admin`,
};

/** A process of a release over the one database. */
async function serve(root: string): Promise<TestApp> {
  const port = String(await freePortPair());
  const env = {
    PORT: port,
    METRICS_PORT: '0',
    LOCALNET_PORT: String(await freePortPair()),
    DATA_DIR: join(folder, `data-${port}`),
    DATABASE_URL: database.url,
    KEY_ENCRYPTION_KEY,
    LOG_LEVEL: 'error',
    SURFACES: 'fan,auth,login,admin',
  };
  const kitFile = join(env.DATA_DIR, 'starter-kit.json');
  children.push(
    await startChild(join(root, 'adapters/process/main.ts'), { ...env, ...ADDRESSES }, async () => {
      await readFile(kitFile);
      return (await fetch(`http://localhost:${port}/readyz`)).ok;
    }),
  );
  return { config: readConfig(env), kit: JSON.parse(await readFile(kitFile, 'utf8')) } as TestApp;
}

const releases = releasesBefore();

describe.skipIf(releases.length < RELEASES)('D-224: a release before (skipped in a clone without history)', () => {
  it.each(releases)('$commit, with $lacks migrations less, starts, serves and shares its state', async ({ commit }) => {
    const root = join(folder, commit.slice(0, 12));
    await checkOut(commit, root);
    const older = await serve(root);
    const newest = await serve(process.cwd());
    const refreshed = async (app: TestApp, tokens: Tokens) =>
      (await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token))).body as Tokens;
    for (const [one, other] of [
      [older, newest],
      [newest, older],
    ] as const) {
      let tokens = await signIn(one);
      expect((await callFan(one, '/tickets', tokens.access_token)).status).toBe(200);
      tokens = await refreshed(other, tokens);
      expect((await callFan(other, '/tickets', tokens.access_token)).status).toBe(200);
      tokens = await refreshed(one, tokens);
      expect((await callFan(one, '/tickets', tokens.access_token)).status).toBe(200);
    }
  });
});
