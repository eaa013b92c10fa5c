import { Fan } from '../src/entities/fan.ts';
import { FORMER_NUMBER_REASONS, FormerNumber } from '../src/entities/former-number.ts';
import { Passkey } from '../src/entities/passkey.ts';
import { proposeNumberChange } from '../src/people/proposal/number-change.ts';
import { proposeReopen } from '../src/people/proposal/reopen.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { maskPhone } from '../src/platform/phone-number.ts';
import { removePasskey } from '../src/sign-in/passkey/own-passkeys.ts';
import { numbersInDoubt } from '../src/sign-in/verification/continuity.ts';
import { builder, enumOf, mutation } from './builder.ts';
import { type Call, callerOf, viewerOf } from './context.ts';
import { FanType } from './fan.ts';
import { rowsBy } from './loaders.ts';
import { ProposalType } from './proposal.ts';

const ReasonType = enumOf('FormerNumberReason', FORMER_NUMBER_REASONS);

const FormerNumberType = builder.objectRef<FormerNumber>('FormerNumber').implement({
  description: 'A number that the fan had. It signs nobody in, and still finds the fan.',
  fields: (t) => ({
    phone: t.string({ description: 'Masked.', resolve: ({ phone }) => maskPhone(phone) }),
    givenUpAt: t.expose('givenUpAt', { type: 'DateTime' }),
    reason: t.expose('reason', { type: ReasonType }),
  }),
});

const PasskeyType = builder.objectRef<Passkey>('Passkey').implement({
  description: 'With it the fan signs in without a code.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { description: 'Browser and system in which it was made.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectFields(FanType, (t) => ({
  numberProvedAt: t.expose('numberProvedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the fan last proved the number by a code; null for one who never did.',
  }),
  numberVouchedAt: t.expose('numberVouchedAt', {
    type: 'DateTime',
    description: 'When the company last named the number as the fan’s, in a row that it made or changed.',
  }),
  numberIsOld: t.loadable({
    type: 'Boolean',
    description: 'Whether a code for the number alone does not open the account: a passkey or support has to.',
    load: async (ids: string[], { context }: Call) => {
      const inDoubt = await numbersInDoubt(
        context,
        ids.map((id) => knownId('usr', id)),
      );
      return ids.map((id) => inDoubt.has(knownId('usr', id)));
    },
    resolve: ({ id }) => id,
  }),
  formerNumbers: t.loadableList({
    type: FormerNumberType,
    description: 'Newest first.',
    ...rowsBy(FormerNumber, 'fan', { orderBy: { givenUpAt: 'desc' } }),
  }),
  passkeys: t.loadableList({
    type: PasskeyType,
    description: 'Newest first.',
    ...rowsBy(Passkey, 'fan', { orderBy: { id: 'desc' } }),
  }),
}));

builder.mutationFields((t) => {
  const reason = t.arg.string({ required: true, description: '1 to 1,000 characters.' });
  return {
    removePasskey: t.field({
      type: FanType,
      ...mutation('grants:revoke'),
      description: 'Removes a passkey of a fan who lost the device. It signs nobody in from the next call on.',
      args: { passkeyId: t.arg.id({ required: true }), reason },
      resolve: async (_, request, call) => {
        const fan = await removePasskey(call.work(), request, callerOf(call));
        return call.context.em.findOneOrFail(Fan, { id: fan });
      },
    }),
    proposeReopen: t.field({
      type: ProposalType,
      ...mutation('proposals:write'),
      description: 'Proposes to open the account whose number a caller holds. The sign-in page gave them the code.',
      args: { code: t.arg.string({ required: true, description: 'As read out, such as `7K4M-2PQX`.' }), reason },
      resolve: (_, request, call) => proposeReopen(call.work(), request, viewerOf(call)),
    }),
    proposeNumberChange: t.field({
      type: ProposalType,
      ...mutation('proposals:write'),
      description: 'Proposes a new number for a fan, whose holder has signed in with it within the last 7 days.',
      args: {
        fanId: t.arg.id({ required: true }),
        phone: t.arg.string({ required: true, description: 'The new number, with its country code.' }),
        reason,
      },
      resolve: (_, request, call) => proposeNumberChange(call.work(), request, viewerOf(call)),
    }),
  };
});
