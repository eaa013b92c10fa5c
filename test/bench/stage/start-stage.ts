import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import type { FloorDescription } from '../floors/describe-floor.ts';
import type { Load } from '../load.ts';
import type { PathName } from '../paths/all.ts';
import type { Answer, Asked, Opened } from './messages.ts';

/** The process that prepares requests for a server. */
export interface StartedStage extends Opened {
  /** @param requests how many, where each may be sent once */
  prepare(path: PathName, requests: number): Promise<Load>;
  prepareForFloor(path: PathName, requests: number): Promise<Load>;
  describeFloor(): Promise<FloorDescription>;
  stop(): Promise<void>;
}

type Reply = { id: number; result: Answer } | { id: number; error: string };
/** As `Asked`, without its number. */
type Question = Asked extends infer Each ? (Each extends Asked ? Omit<Each, 'id'> : never) : never;

/** @param tree whose code the server runs */
export async function startStage(tree: string, env: Record<string, string>, kit: StarterKit): Promise<StartedStage> {
  const ofTree = new URL('of-tree.ts', import.meta.url).href;
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    cwd: tree,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BENCH_TREE: tree },
    execArgv: ['--import', ofTree],
  });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  child.on('message', (answer: Reply) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.result);
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the stage ended with code ${code}`));
  });
  let lastId = 0;
  function ask(question: Question): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    lastId += 1;
    waiting.set(lastId, answer);
    child.send({ id: lastId, ...question });
    return answer.promise;
  }
  const opened = (await ask({ what: 'open', env, kit })) as Opened;
  return {
    ...opened,
    prepare: async (path, requests) => (await ask({ what: 'prepare', path, requests, forFloor: false })) as Load,
    prepareForFloor: async (path, requests) => (await ask({ what: 'prepare', path, requests, forFloor: true })) as Load,
    describeFloor: async () => (await ask({ what: 'describe floor' })) as FloorDescription,
    async stop() {
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      if (child.exitCode === null) await ended;
    },
  };
}
