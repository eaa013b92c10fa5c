import { defineEntity, p } from '@mikro-orm/core';
import { Client } from './client.ts';

/** What an image may be encoded as. No SVG: that is a document, which can hold scripts and load more. */
export const LOGO_KINDS = ['png', 'jpeg', 'webp'] as const;
export type LogoKind = (typeof LOGO_KINDS)[number];

/** The picture that fans see beside a client's name. Apart from the client, whose row many calls read. */
const ClientLogoSchema = defineEntity({
  name: 'ClientLogo',
  properties: {
    client: () => p.oneToOne(Client).primary(),
    kind: p.enum(LOGO_KINDS),
    /** Pixels. */
    width: p.smallint(),
    height: p.smallint(),
    /** Bytes of the image. */
    size: p.integer(),
    /** SHA-256 of the image in base64url. */
    hash: p.string().length(43),
    image: p.blob().lazy(),
    setAt: p.datetime(),
  },
});

export class ClientLogo extends ClientLogoSchema.class {}
ClientLogoSchema.setClass(ClientLogo);
