import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { LogoKind } from '../entities/client-logo.ts';
import { type Id, tryUuidOf, uuidOf } from '../identifier/type-id.ts';

/** Letters of the hash that stand in a logo's address: 96 bits, so that another picture has another address. */
const HASH_LETTERS = 16;
/** Any text may stand in an address, also one that PostgreSQL can't take. */
const HASH_START = new RegExp(`^[A-Za-z0-9_-]{${HASH_LETTERS}}$`);

const readImage = prepared<{ kind: LogoKind; image: Buffer }>(
  `select kind, image from client_logo where client_id = $1 and left(hash, ${HASH_LETTERS}) = $2`,
);

const readHash = prepared<{ hash: string }>('select hash from client_logo where client_id = $1');

/** Where a logo is served, below LOGIN_URL. What is there never changes. */
export function logoPath(clientId: Id<'client'>, hash: string): string {
  return `logos/${clientId}/${hash.slice(0, HASH_LETTERS)}`;
}

/** Where the logo of a client is served, below LOGIN_URL; null where it has none. */
export async function findLogoPath({ pool }: Pick<Context, 'pool'>, clientId: Id<'client'>): Promise<string | null> {
  const [logo] = await readHash(pool, [uuidOf('client', clientId)]);
  return logo ? logoPath(clientId, logo.hash) : null;
}

/**
 * A logo by what its address says.
 * @param hashStart the last part of `logoPath`
 * @returns undefined where the client has no logo, or another one by now
 */
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
