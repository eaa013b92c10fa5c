import { FAN_COPY, FAN_DELETION, proposeAboutData } from '../src/people/proposal/own-data.ts';
import { builder, mutation } from './builder.ts';
import { viewerOf } from './context.ts';
import { FanType } from './fan.ts';
import { ProposalType } from './proposal.ts';

builder.objectField(FanType, 'deletedAt', (t) =>
  t.expose('deletedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the fan left: nothing of a person is kept. Null for all others.',
  }),
);

builder.mutationFields((t) => {
  const args = {
    fanId: t.arg.id({ required: true }),
    reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
  };
  return {
    proposeFanCopy: t.field({
      type: ProposalType,
      ...mutation('proposals:write'),
      description: 'Proposes a copy of all that is kept about a fan who asks for it. Both people can then download it.',
      args,
      resolve: (_, request, call) => proposeAboutData(call.work(), FAN_COPY, request, viewerOf(call)),
    }),
    proposeFanDeletion: t.field({
      type: ProposalType,
      ...mutation('proposals:write'),
      description: 'Proposes to delete the account of a fan who asks for it.',
      args,
      resolve: (_, request, call) => proposeAboutData(call.work(), FAN_DELETION, request, viewerOf(call)),
    }),
  };
});
