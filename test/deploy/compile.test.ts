import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { mainProcess } from '../support/main-process.ts';
import { TELL_PARSER } from '../support/tell-parser.ts';
import { testFolder } from '../support/test-folder.ts';

const { run } = mainProcess();
const cache = await testFolder();

const ELSEWHERE = { SANDBOX_RPC_URL: 'http://127.0.0.1:1', SURFACES: 'auth,login,fan,admin,partners,docs' };

const NODE_OPTIONS = TELL_PARSER;
const node = join(process.cwd(), 'node_modules/.bin/node');
const parserIn = (errors: string) => /parser:\w+/.exec(errors)?.[0];

it('every module of the service is compiled beforehand: a start loads no TypeScript parser', async () => {
  const PATH = process.env.PATH;
  const typescript = ['--input-type=module-typescript', '-e', 'const one: number = 1'];
  const { stderr } = await promisify(execFile)(node, typescript, { env: { PATH, NODE_OPTIONS } });
  expect(parserIn(stderr)).toBe('parser:true');

  const env = { PATH, NODE_COMPILE_CACHE: cache };
  const { stdout } = await promisify(execFile)(node, ['deploy/compile.ts'], { env });
  expect(stdout).toMatch(/^\d{3} modules are compiled\.$/m);
  const service = await run({ ...ELSEWHERE, NODE_COMPILE_CACHE: cache, NODE_OPTIONS });
  expect(await service.ready()).toBe(true);
  service.child.kill('SIGTERM');
  await service.ended();
  expect(parserIn(service.errors())).toBe('parser:false');
});
