import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { mainProcess } from '../support/main-process.ts';

const { run } = mainProcess();
const cache = await mkdtemp(join(tmpdir(), 'fan-api-compiled-'));
afterAll(() => rm(cache, { recursive: true }));

/** At its end a process says whether it has loaded Node's TypeScript parser. */
const TELL = `process.on('exit',()=>console.error('parser:'+process.moduleLoadList.some((name)=>name.includes('amaro'))))`;
const ELSEWHERE = { SANDBOX_RPC_URL: 'http://127.0.0.1:1', SURFACES: 'auth,login,fan,admin,partners,docs' };

async function parserOfStart(folder: string): Promise<string | undefined> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TELL)}`;
  const service = await run({ ...ELSEWHERE, NODE_COMPILE_CACHE: folder, NODE_OPTIONS });
  expect(await service.ready()).toBe(true);
  service.child.kill('SIGTERM');
  await service.ended();
  return /parser:\w+/.exec(service.errors())?.[0];
}

it('every module of the service is compiled beforehand: a start loads no TypeScript parser', async () => {
  expect(await parserOfStart(join(cache, 'empty'))).toBe('parser:true');
  const folder = join(cache, 'filled');
  const node = join(process.cwd(), 'node_modules/.bin/node');
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder };
  const { stdout } = await promisify(execFile)(node, ['deploy/compile.ts'], { env });
  expect(stdout).toMatch(/^\d{3} modules are compiled\.$/m);
  expect(await parserOfStart(folder)).toBe('parser:false');
});
