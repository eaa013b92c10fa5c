import { KILL_SWITCH_KINDS, KillSwitch, type KillSwitchKind } from '../src/entities/kill-switch.ts';
import { liftKillSwitch, setKillSwitch, targetOf } from '../src/partners/kill-switch/kill-switch.ts';
import { staffIn } from '../src/partners/person.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { StaffType } from './staff.ts';

const KindType = enumOf('KillSwitchKind', KILL_SWITCH_KINDS);

export const KillSwitchType = builder.objectRef<KillSwitch>('KillSwitch').implement({
  description: 'Something that is stopped now.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: KindType }),
    client: t.field({ type: ClientType, nullable: true, resolve: ({ client }) => client?.id }),
    fan: t.field({ type: FanType, nullable: true, resolve: ({ fan }) => fan?.id }),
    country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
    marketplace: t.exposeString('marketplace', { nullable: true, description: 'Its address, base58.' }),
    reason: t.exposeString('reason'),
    setBy: t.field({ type: StaffType, nullable: true, resolve: ({ setBy }) => staffIn(setBy) }),
    setAt: t.expose('setAt', { type: 'DateTime' }),
  }),
});

builder.queryFields((t) => ({
  killSwitches: t.connection({
    type: KillSwitchType,
    authScopes: right('console:read'),
    description: 'What is stopped now.',
    resolve: (_, page, { context }) => pageOf(context, KillSwitch, page, []),
  }),
}));

const LiftType = builder.objectRef<{ kind: KillSwitchKind; wasOn: boolean }>('LiftedKillSwitch').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: KindType }),
    wasOn: t.exposeBoolean('wasOn', { description: 'Whether it was stopped.' }),
  }),
});

builder.mutationFields((t) => {
  const args = {
    kind: t.arg({ type: KindType, required: true }),
    subject: t.arg.string({
      description:
        'For CLIENT and FAN the ID, for SMS_COUNTRY two letters (ISO 3166-1), for MARKETPLACE its address (base58), for CO_SIGNING nothing.',
    }),
    reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
  };
  const ends = {
    endsSales: t.arg.boolean({
      required: true,
      defaultValue: false,
      description:
        'For CLIENT, FAN and MARKETPLACE: takes off sale what the client, or apps for the fan, put on sale, or what is on sale there. Lifting it puts nothing back.',
    }),
    endsGrants: t.arg.boolean({
      required: true,
      defaultValue: false,
      description: 'For CLIENT: ends all its grants, too.',
    }),
  };
  return {
    setKillSwitch: t.field({
      type: KillSwitchType,
      ...mutation('switches:write'),
      description: 'Sets a kill switch, from the next call on. If it is already set, its first reason stays.',
      args: { ...args, ...ends },
      resolve: (_, { kind, subject, reason, endsSales, endsGrants }, call) =>
        setKillSwitch(call.work(), targetOf(kind, subject ?? undefined), reason, callerOf(call), {
          ...(endsSales && { endsSales }),
          ...(endsGrants && { endsGrants }),
        }),
    }),
    liftKillSwitch: t.field({
      type: LiftType,
      ...mutation('switches:write'),
      description: 'Lifts a kill switch. Grants and tokens work again.',
      args,
      resolve: async (_, { kind, subject, reason }, call) => ({
        kind,
        wasOn: await liftKillSwitch(call.work(), targetOf(kind, subject ?? undefined), reason, callerOf(call)),
      }),
    }),
  };
});
