import { ClientLogo } from '../src/entities/client.ts';
import { logoPath, removeClientLogo, setClientLogo } from '../src/partners/client/client-logo.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { LOGO_KINDS, LOGO_SIDE, type LogoKind, MAX_LOGO_BYTES } from '../src/platform/image/logo-image.ts';
import { builder, enumOf, mutation } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { rowBy } from './loaders.ts';

const LogoKindType = enumOf('LogoKind', LOGO_KINDS);

const ClientLogoType = builder.objectRef<ClientLogo>('ClientLogo').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: LogoKindType }),
    width: t.exposeInt('width', { description: 'Pixels.' }),
    height: t.exposeInt('height', { description: 'Pixels.' }),
    size: t.exposeInt('size', { description: 'Bytes.' }),
    setAt: t.expose('setAt', { type: 'DateTime' }),
    url: t.string({
      description: 'Where fan pages load it. A new image has a new address.',
      resolve: ({ client, hash }, _, { context }) => `${context.config.loginUrl}/${logoPath(client.id, hash)}`,
    }),
    dataUrl: t.loadable({
      type: 'String',
      description: 'The image, as a `data:` URL.',
      load: async (ids: Id<'client'>[], { context }) => {
        const where = { client: { $in: ids } };
        const logos = await context.em.find(ClientLogo, where, { populate: ['image'], refresh: true });
        const urls = new Map(logos.map(({ client, kind, image }) => [client.id, dataUrlOf(kind, image)]));
        return ids.map((id) => urls.get(id) ?? new Error(`the logo of ${id} has been removed`));
      },
      resolve: ({ client }) => client.id,
    }),
  }),
});

builder.objectField(ClientType, 'logo', (t) =>
  t.loadable({
    type: ClientLogoType,
    description: 'What fans see beside the name; without one, they see initials.',
    ...rowBy(ClientLogo, 'client', { refresh: true }),
  }),
);

builder.mutationFields((t) => ({
  setClientLogo: t.field({
    type: ClientType,
    ...mutation('clients:write'),
    description: 'Changes immediately and needs no review. An open review must then be decided on the new version.',
    args: {
      clientId: t.arg.id({ required: true }),
      base64: t.arg.string({
        required: true,
        description: `A PNG, JPEG or WebP, not animated, of at most ${MAX_LOGO_BYTES / 1024} KiB, each side ${LOGO_SIDE.min} to ${LOGO_SIDE.max} pixels.`,
      }),
    },
    resolve: (_, { clientId, base64 }, call) => setClientLogo(call.work(), clientId, base64, callerOf(call)),
  }),
  removeClientLogo: t.field({
    type: ClientType,
    ...mutation('clients:write'),
    description: 'Fans see the initials of the name instead.',
    args: { clientId: t.arg.id({ required: true }) },
    resolve: (_, { clientId }, call) => removeClientLogo(call.work(), clientId, callerOf(call)),
  }),
}));

function dataUrlOf(kind: LogoKind, image: ClientLogo['image']): string {
  return `data:image/${kind};base64,${Buffer.from(image).toString('base64')}`;
}
