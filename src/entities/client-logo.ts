import { defineEntity, p } from '@mikro-orm/core';
import { Client } from './client.ts';

/** Allowed image formats. No SVG, which can contain scripts and external references. */
export const LOGO_KINDS = ['png', 'jpeg', 'webp'] as const;
export type LogoKind = (typeof LOGO_KINDS)[number];

/** The logo that fans see with a client's name. Not in the client's row, which many calls read. */
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
