import { PERMIT_TASK_KINDS, PERMIT_TASK_STATES, PermitTask } from '../src/entities/permit-task.ts';
import { builder, enumOf, right } from './builder.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { entityType } from './loaders.ts';
import { PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';

const KindType = enumOf('PermitTaskKind', PERMIT_TASK_KINDS);
const StateType = enumOf('PermitTaskState', PERMIT_TASK_STATES, 'Open, done, or ended without its effect.');

export const PermitTaskType = entityType('PermitTask', PermitTask);

PermitTaskType.implement({
  description:
    'What the company’s rows ask of the chain: moving a permit to another fan’s wallet, or closing its listing.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: KindType }),
    state: t.expose('state', { type: StateType }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why it waits, why the last attempt failed, or why it ended.',
    }),
    attempts: t.exposeInt('attempts', { description: 'Failed attempts so far.' }),
    nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    permit: t.field({ type: PermitType, resolve: (task) => task.permit.id }),
    from: t.field({
      type: FanType,
      nullable: true,
      description: 'Of a transfer: the holder when it was asked for; null where the permit was not issued then.',
      resolve: (task) => task.fromFan?.id,
    }),
    to: t.field({
      type: FanType,
      nullable: true,
      description: 'Of a transfer: the new holder.',
      resolve: (task) => task.toFan?.id,
    }),
  }),
});

builder.queryFields((t) => ({
  permitTasks: t.connection({
    type: PermitTaskType,
    authScopes: right('console:read'),
    args: {
      state: t.arg({ type: StateType }),
      failing: t.arg.boolean({ description: 'Whether attempts have failed; both if omitted.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { state, failing, sort, ...page }, { context }) =>
      pageOf(
        context,
        PermitTask,
        page,
        [state && { state }, failing != null && { attempts: failing ? { $gt: 0 } : 0 }],
        { sort },
      ),
  }),
}));
