import { discoveryDocument } from '../src/oauth/metadata.ts';
import { type LimitUse, limitUse, type ServiceAddresses, serviceAddresses } from '../src/people/workspace/limit-use.ts';
import { type PartnerLimit, partnerLimits } from '../src/people/workspace/partner-limits.ts';
import { builder, forPartners } from './builder.ts';
import { ClientType } from './client.ts';
import { ModeType } from './event.ts';
import { ownPartner } from './own.ts';

const LimitUseType = builder.objectRef<LimitUse>('LimitUse').implement({
  description: 'How near you are to a limit now.',
  fields: (t) =>
    forPartners({
      used: t.exposeInt('used', { description: 'To be compared with the limit.' }),
      says: t.exposeString('says', {
        description: 'What the figure is, such as `the busiest grant, in the last minute`.',
      }),
      client: t.field({
        type: ClientType,
        nullable: true,
        description: 'The client that has used most; null where none has used any.',
        resolve: ({ client }) => client,
      }),
    }),
});

interface LimitWithUse extends PartnerLimit {
  use: LimitUse | null;
}

const LimitType = builder.objectRef<LimitWithUse>('Limit').implement({
  description: 'A limit on calls. Beyond it they are refused with 429 and `Retry-After`.',
  fields: (t) =>
    forPartners({
      name: t.exposeString('name'),
      limit: t.exposeInt('limit'),
      per: t.exposeString('per', { description: 'Such as `minute and grant`.' }),
      says: t.exposeString('says', { description: 'What is counted.' }),
      mode: t.expose('mode', { type: ModeType, nullable: true, description: 'Null where it holds in both.' }),
      use: t.expose('use', {
        type: LimitUseType,
        nullable: true,
        description: 'Null where it is counted over the clients of every partner, and so not shown.',
      }),
    }),
});

const AddressesType = builder.objectRef<ServiceAddresses>('ServiceAddresses').implement({
  description: 'Where the service is. Clients are public: they have no secret, so there is none to rotate.',
  fields: (t) =>
    forPartners({
      issuer: t.exposeString('issuer'),
      discoveryUrl: t.exposeString('discoveryUrl'),
      jwksUrl: t.exposeString('jwksUrl'),
      apiUrl: t.exposeString('apiUrl'),
      openapiUrl: t.exposeString('openapiUrl'),
      loginUrl: t.exposeString('loginUrl'),
      sandboxRpcUrl: t.exposeString('sandboxRpcUrl', {
        nullable: true,
        description: 'Of the test network; null where partners use a node of their own.',
      }),
      discovery: t.field({
        type: 'JSON',
        description: 'The discovery document.',
        resolve: ({ issuer }, _args, { context }) => discoveryDocument(issuer, context.uiLocales),
      }),
    }),
});

builder.queryFields((t) =>
  forPartners({
    limits: t.field({
      type: [LimitType],
      description: 'The limits that hold for your clients, and what these have used of them.',
      resolve: async (_, _args, call): Promise<LimitWithUse[]> => {
        const use = await limitUse(call.context, ownPartner(call));
        return partnerLimits(call.context.config).map((limit) => ({ ...limit, use: use[limit.name] ?? null }));
      },
    }),
    addresses: t.field({ type: AddressesType, resolve: (_, _args, { context }) => serviceAddresses(context) }),
  }),
);
