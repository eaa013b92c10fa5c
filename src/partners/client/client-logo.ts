import { type Client, ClientLogo } from '../../entities/client.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, tryUuidOf } from '../../platform/identifier/type-id.ts';
import { type LogoImage, type LogoKind, readLogoImage } from '../../platform/image/logo-image.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { registrationOf } from './describe-changes.ts';
import { lockClient, writeClient } from './locked-client.ts';
import { addEditToReview, openReviewOf } from './review.ts';

/**
 * Sets the image that fans see beside a client's name. It needs no new review, but the approval of an open review must name
 * the version with this image.
 * @param base64 a PNG, JPEG or WebP, not animated, of at most 32 KiB, each side 32 to 1024 pixels (RFC 4648 §4)
 * @throws DomainError `not_found`; `invalid_request` with the fault of the image
 */
export async function setClientLogo(
  context: WriteContext,
  clientId: string,
  base64: string,
  actor: string,
): Promise<Client> {
  return replaceLogo(context, clientId, checkedImage(base64), actor);
}

/** Removes a client's logo: fans see the initials of its name. @throws DomainError `not_found` */
export function removeClientLogo(context: WriteContext, clientId: string, actor: string): Promise<Client> {
  return replaceLogo(context, clientId, undefined, actor);
}

/** Increments the client's version: an approval must name the present image, and an editor in review can't approve. */
function replaceLogo(
  context: WriteContext,
  clientId: string,
  image: LogoImage | undefined,
  actor: string,
): Promise<Client> {
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const client = await lockClient(within, clientId);
    const earlier = await em.findOne(ClientLogo, { client: client.id }, { refresh: true });
    const [before, after] = [earlier?.hash ?? null, image?.hash ?? null];
    if (before === after) return client;
    if (image) await em.upsert(ClientLogo, { client, ...image, setAt: context.now() });
    else await em.nativeDelete(ClientLogo, { client: client.id });
    await writeClient(within, client, {});
    // where a registration is in force, the logo is not part of a pending edit: it changes directly
    const review = client.status === 'in_review' && (await openReviewOf(within, client));
    if (review) addEditToReview(within, review, registrationOf(client), actor);
    const action = image ? 'client.logo_set' : 'client.logo_removed';
    const details = { before: { logo: before }, after: { logo: after } };
    recordAudit(within, { actor, action, subject: client.id, details });
    return client;
  });
}

function checkedImage(base64: string): LogoImage {
  const image = Buffer.from(base64, 'base64');
  // Buffer skips characters that are not base64
  if (image.length === 0 || image.toString('base64') !== base64) throw unusable('must be base64 with padding');
  const logo = readLogoImage(image);
  if ('fault' in logo) throw unusable(logo.fault);
  return logo;
}

/** @param fault continues "The logo …" */
function unusable(fault: string): DomainError {
  return new DomainError('invalid_request', `The logo ${fault}.`);
}

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
