import { CustodyMove } from '../src/entities/custody-move.ts';
import { PROPOSAL_KIND_NAMES, PROPOSAL_STATES, Proposal, type ProposalState } from '../src/entities/proposal.ts';
import { staffIn } from '../src/partners/person.ts';
import { roleHas } from '../src/partners/rights.ts';
import {
  approveProposal,
  declineProposal,
  isSecondPerson,
  isWaiting,
  withdrawProposal,
} from '../src/people/proposal/decide.ts';
import { PROPOSAL_KINDS } from '../src/people/proposal/kinds.ts';
import { proposeMoveOut, statementToSign } from '../src/people/proposal/move-out.ts';
import { NAME } from './audit-names.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { personOf, viewerOf } from './context.ts';
import { CustodyMoveType } from './custody-move.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById, rowBy } from './loaders.ts';
import { AgeSort, OLDEST_FIRST } from './sorts.ts';
import { StaffRightType, StaffType } from './staff.ts';

const KindType = enumOf('ProposalKind', PROPOSAL_KIND_NAMES);
const StateType = enumOf('ProposalState', PROPOSAL_STATES);

export const ProposalType = entityType('Proposal', Proposal);

ProposalType.implement({
  description: 'What one member of staff proposes and another one decides.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: KindType }),
    title: t.string({ resolve: ({ kind }) => PROPOSAL_KINDS[kind].title }),
    subject: t.exposeID('subject', { description: 'The ID of what it concerns.' }),
    subjectName: t.loadable({
      ...NAME,
      description: 'Name of what it concerns; null if it has none.',
      resolve: ({ subject }) => subject,
    }),
    effects: t.stringList({
      description: 'Everything that will happen when it is approved.',
      resolve: ({ kind, subject, details }) => PROPOSAL_KINDS[kind].effects({ subject, details }),
    }),
    details: t.expose('details', { type: 'JSON', description: 'As its kind has them.' }),
    reason: t.exposeString('reason'),
    proposedBy: t.field({ type: StaffType, nullable: true, resolve: ({ proposedBy }) => staffIn(proposedBy) }),
    proposedAt: t.expose('proposedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until then it can be decided.' }),
    state: t.field({
      type: StateType,
      resolve: (proposal, _, { context }): ProposalState =>
        proposal.state === 'proposed' && !isWaiting(proposal, context.now()) ? 'expired' : proposal.state,
    }),
    decidedBy: t.field({ type: StaffType, nullable: true, resolve: ({ decidedBy }) => staffIn(decidedBy) }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    note: t.exposeString('note', { nullable: true, description: 'The reason of the decision.' }),
    outcome: t.exposeString('outcome', { nullable: true, description: 'Why it failed.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    decidesWith: t.field({
      type: StaffRightType,
      description: 'The right to approve and decline it. It needs a sign-in within the last 5 minutes.',
      resolve: ({ kind }) => ({ name: PROPOSAL_KINDS[kind].decides }),
    }),
    isYours: t.boolean({
      description: 'Whether you have proposed it: you can withdraw it, and not decide it.',
      resolve: async (proposal, _, call) => !isSecondPerson(proposal, await personOf(call)),
    }),
    mayDecide: t.boolean({
      description: 'Whether you are a second person whose role has the right to decide it, and it still waits.',
      resolve: async (proposal, _, call) =>
        isSecondPerson(proposal, await personOf(call)) &&
        roleHas(viewerOf(call).role, PROPOSAL_KINDS[proposal.kind].decides) &&
        isWaiting(proposal, call.context.now()),
    }),
    move: t.loadable({
      type: CustodyMoveType,
      description: 'The move that carries it out onchain; null where there is none.',
      ...rowBy(CustodyMove, 'origin'),
    }),
  }),
});

queryById('proposal', ProposalType, Proposal, 'prop');

builder.queryFields((t) => ({
  proposals: t.connection({
    type: ProposalType,
    authScopes: right('console:read'),
    args: {
      kind: t.arg({ type: KindType }),
      state: t.arg({ type: [StateType] }),
      subject: t.arg.id({ description: 'The ID of what they concern.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: (_, { kind, state, subject, ...page }, { context }) =>
      pageOf(context, Proposal, page, [
        kind && { kind },
        state && { state: { $in: state } },
        subject && { subject: subject.replaceAll('\0', '') },
      ]),
  }),
  proposalQueue: t.connection({
    type: ProposalType,
    authScopes: right('console:read'),
    description: 'Proposals that wait for a decision, oldest first.',
    resolve: (_, page, { context }) =>
      pageOf(context, Proposal, { ...page, sort: OLDEST_FIRST }, [
        { state: 'proposed', expiresAt: { $gt: context.now() } },
      ]),
  }),
  statementToSign: t.string({
    authScopes: right('console:read'),
    description:
      'The text that the holder of a wallet outside signs with it before a ticket can move there: `proposeMoveOut` takes it with the signature.',
    args: { permitId: t.arg.id({ required: true }), destination: t.arg.string({ required: true }) },
    resolve: (_, request, { context }) => statementToSign(context, request),
  }),
}));

builder.mutationFields((t) => {
  const proposalId = t.arg.id({ required: true });
  const reason = t.arg.string({ required: true, description: '1 to 1,000 characters.' });
  return {
    proposeMoveOut: t.field({
      type: ProposalType,
      ...mutation('proposals:write'),
      description: 'Proposes to move a fan’s ticket to a wallet outside, whose holder has signed for it.',
      args: {
        permitId: t.arg.id({ required: true }),
        destination: t.arg.string({ required: true, description: 'The wallet, base58.' }),
        statement: t.arg.string({ required: true, description: 'From `statementToSign`, as it was signed.' }),
        signature: t.arg.string({ required: true, description: 'By the wallet, base58 or base64.' }),
        reason,
      },
      resolve: (_, request, call) => proposeMoveOut(call.work(), request, viewerOf(call)),
    }),
    approveProposal: t.field({
      type: ProposalType,
      ...mutation('proposals:decide'),
      description: 'Approves what somebody else has proposed, and carries it out.',
      args: { proposalId, reason },
      resolve: (_, request, call) => approveProposal(call.work(), request, viewerOf(call)),
    }),
    declineProposal: t.field({
      type: ProposalType,
      ...mutation('proposals:decide'),
      description: 'Declines what somebody else has proposed.',
      args: { proposalId, reason },
      resolve: (_, request, call) => declineProposal(call.work(), request, viewerOf(call)),
    }),
    withdrawProposal: t.field({
      type: ProposalType,
      ...mutation('proposals:write'),
      description: 'Withdraws what you have proposed.',
      args: { proposalId, reason },
      resolve: (_, request, call) => withdrawProposal(call.work(), request, viewerOf(call)),
    }),
  };
});
