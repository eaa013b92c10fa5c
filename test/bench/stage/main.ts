/**
 * The process that prepares requests, so that neither the server's CPU time nor that of the bench has a part in it. It is forked with
 * IPC, and with `of-tree.ts` it runs the code of the server's tree.
 *
 * @module
 */
import { describeFloor } from '../floors/describe-floor.ts';
import { preparePath } from '../paths/all.ts';
import type { Answer, Asked } from './messages.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage | undefined;

process.on('message', (asked: Asked) => {
  answer(asked).then(
    (result) => process.send?.({ id: asked.id, result }),
    (error: unknown) => process.send?.({ id: asked.id, error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));

async function answer(asked: Asked): Promise<Answer> {
  if (asked.what === 'open') {
    stage = await openStage(asked.env, asked.kit);
    const { rows } = await stage.context().pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    return { databaseUrl: stage.databaseUrl, backend: rows[0]?.pid ?? 0 };
  }
  if (stage === undefined) throw new Error('the stage is not open');
  if (asked.what === 'describe floor') return describeFloor(stage);
  return preparePath(stage, asked.path, asked.requests, asked.forFloor);
}
