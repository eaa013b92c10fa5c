import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Id, tryUuidOf } from '../../platform/identifier/type-id.ts';
import type { LogoKind } from '../../platform/image/logo-image.ts';

/** Letters of the hash in a logo's path: 96 bits, so that another image has another path. */
const HASH_LETTERS = 16;
/** Keeps text that PostgreSQL can't store out of the query. */
const HASH_START = new RegExp(`^[A-Za-z0-9_-]{${HASH_LETTERS}}$`);

const readImage = prepared<{ kind: LogoKind; image: Buffer }>(
  `select kind, image from client_logo where client_id = $1 and left(hash, ${HASH_LETTERS}) = $2`,
);

/** The path of a logo below LOGIN_URL. Its content never changes. */
export function logoPath(clientId: Id<'client'>, hash: string): string {
  return `logos/${clientId}/${hash.slice(0, HASH_LETTERS)}`;
}

/** A logo by its path; undefined where the client has none or another one now. @param hashStart last part of `logoPath` */
export async function readClientLogo(
  { pool }: Pick<Context, 'pool'>,
  clientId: string,
  hashStart: string,
): Promise<{ kind: LogoKind; image: Buffer } | undefined> {
  const client = tryUuidOf('client', clientId);
  if (client === undefined || !HASH_START.test(hashStart)) return undefined;
  const [logo] = await readImage(pool, [client, hashStart]);
  return logo;
}
