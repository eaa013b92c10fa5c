import { CUSTODY_MOVE_KINDS, CUSTODY_MOVE_STATES, CustodyMove } from '../src/entities/custody-move.ts';
import { giveUpMove } from '../src/inventory/custody-move/give-up-move.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { entityType, rowsBy } from './loaders.ts';
import { PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';

const KindType = enumOf('CustodyMoveKind', CUSTODY_MOVE_KINDS, 'A transfer closes the permit’s listing with it.');
const StateType = enumOf('CustodyMoveState', CUSTODY_MOVE_STATES);

export const CustodyMoveType = entityType('CustodyMove', CustodyMove);

CustodyMoveType.implement({
  description: 'A permit that this service moves out of a fan’s wallet, or takes off sale, as its owner.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: KindType }),
    permit: t.field({ type: PermitType, resolve: ({ permit }) => permit.id }),
    fromWallet: t.exposeString('fromWallet', {
      nullable: true,
      description: 'Null until the permit is issued, if it was not when the move was ordered.',
    }),
    fromFan: t.field({ type: FanType, resolve: ({ fromFan }) => fromFan.id }),
    destination: t.exposeString('destination', { nullable: true, description: 'Base58; null for CLOSE_LISTING.' }),
    toFan: t.field({
      type: FanType,
      nullable: true,
      description: 'Whose wallet the destination is; null for a wallet outside.',
      resolve: ({ toFan }) => toFan?.id,
    }),
    origin: t.exposeString('origin', { description: 'What ordered it: an ID, or a part of the service.' }),
    state: t.expose('state', { type: StateType }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it failed; while it is open, why it waits.' }),
    tries: t.exposeInt('tries'),
    retryAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The next try of an open one.',
      resolve: ({ state, retryAt }) => (state === 'open' ? retryAt : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectField(PermitType, 'moves', (t) =>
  t.loadableList({
    type: CustodyMoveType,
    description: 'Moves by this service as the ticket’s owner, newest first.',
    ...rowsBy(CustodyMove, 'permit', { orderBy: { id: 'desc' } }),
  }),
);

builder.queryFields((t) => ({
  custodyMoves: t.connection({
    type: CustodyMoveType,
    authScopes: right('console:read'),
    args: {
      state: t.arg({ type: StateType }),
      waiting: t.arg.boolean({
        description: 'Whether they have a reason to wait, or failed for one; both if omitted.',
      }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { state, waiting, ...page }, { context }) =>
      pageOf(context, CustodyMove, page, [
        state && { state },
        waiting != null && { reason: waiting ? { $ne: null } : null },
      ]),
  }),
}));

builder.mutationField('giveUpMove', (t) =>
  t.field({
    type: CustodyMoveType,
    ...mutation('proposals:decide'),
    description:
      'Gives up an open transfer that the chain shows has not happened, and none of whose transactions can land any more. The ticket stays with its holder.',
    args: {
      moveId: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
    },
    resolve: (_, request, call) => giveUpMove(call.work(), request, callerOf(call)),
  }),
);
