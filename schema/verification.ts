import type { CodeBreaker } from '../src/entities/code-limits.ts';
import type { CodeLimits } from '../src/platform/config/config.ts';
import { ALL_COUNTRIES } from '../src/sign-in/abuse/breaker.ts';
import { type CountryCodes, readSending, retrySending, type Sending } from '../src/sign-in/abuse/sending.ts';
import { builder, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';

const BreakerType = builder.objectRef<CodeBreaker>('VerificationBreaker').implement({
  description: 'A stop of SMS codes because hardly any were entered.',
  fields: (t) => ({
    country: t.string({
      nullable: true,
      description: 'ISO 3166-1 alpha-2; null: all countries.',
      resolve: ({ scope }) => (scope === ALL_COUNTRIES ? null : scope),
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime' }),
    retryAt: t.expose('retryAt', { type: 'DateTime', description: 'When trial codes are sent next.' }),
    trips: t.exposeInt('trips', { description: 'How many times in a row sending was stopped.' }),
    trials: t.exposeInt('trials', { description: 'Trial codes sent so far.' }),
    verified: t.exposeInt('verified', { description: 'How many of them were entered.' }),
  }),
});

const CountryType = builder.objectRef<CountryCodes>('VerificationCountry').implement({
  fields: (t) => ({
    country: t.exposeString('country', { description: 'ISO 3166-1 alpha-2.' }),
    sent: t.exposeInt('sent'),
    verified: t.exposeInt('verified', { description: 'How many of them were entered.' }),
  }),
});

const LimitsType = builder.objectRef<CodeLimits>('VerificationLimits').implement({
  description:
    'The most codes; per hour unless stated otherwise. Per range, address and client those count that nobody entered.',
  fields: (t) => ({
    perPhone: t.exposeInt('perPhone', { description: 'Twice as many per day.' }),
    perRange: t.exposeInt('perRange', { description: 'Per block of 10,000 numbers.' }),
    perAddress: t.exposeInt('perAddress', { description: 'Per IPv4 address or IPv6 network of 64 bits.' }),
    perClient: t.exposeInt('perClient'),
    perDay: t.exposeInt('perDay', { description: 'All codes per day (UTC).' }),
    countries: t.stringList({
      nullable: true,
      description: 'ISO 3166-1 alpha-2 codes of the countries that get codes; null for all.',
      resolve: ({ countries }) => (countries ? [...countries].sort() : null),
    }),
    breakerSample: t.exposeInt('breakerSample', {
      description: 'The number of codes after which a country is judged.',
    }),
    breakerPercent: t.exposeInt('breakerPercent', {
      description: 'Sending stops when fewer than this percentage are entered; 0: never.',
    }),
  }),
});

const VerificationType = builder.objectRef<Sending>('Verification').implement({
  description: 'The state of sending codes to real phones.',
  fields: (t) => ({
    provider: t.string({ resolve: (_sending, _args, { context }) => context.verification.name }),
    sentToday: t.exposeInt('sentToday', { description: 'Codes sent today (UTC).' }),
    breakers: t.expose('breakers', { type: [BreakerType], description: 'What is stopped or on trial, oldest first.' }),
    countries: t.expose('countries', { type: [CountryType], description: 'The last hour, most codes first.' }),
    limits: t.field({ type: LimitsType, resolve: (_sending, _args, { context }) => context.config.codeLimits }),
  }),
});

builder.queryFields((t) => ({
  verification: t.field({
    type: VerificationType,
    authScopes: right('console:read'),
    resolve: (_, _args, { context }) => readSending(context),
  }),
}));

builder.mutationFields((t) => ({
  retryVerification: t.field({
    type: BreakerType,
    ...mutation('switches:write'),
    description: 'Sends trial codes now instead of later.',
    args: {
      country: t.arg.string({ description: 'ISO 3166-1 alpha-2; the breaker for all countries if omitted.' }),
      reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
    },
    resolve: (_, { country, reason }, call) =>
      retrySending(call.work(), country ?? ALL_COUNTRIES, reason, callerOf(call)),
  }),
}));
