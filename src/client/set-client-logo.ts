import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Client, ClientLogo } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { readImageHeader } from './image-header.ts';
import { addEditToReview } from './open-review.ts';

type LogoContext = Pick<Context, 'em' | 'now' | 'requestId'>;
type LogoImage = Pick<ClientLogo, 'kind' | 'width' | 'height' | 'size' | 'hash'> & { image: Buffer };

/** Bytes. In base64 it must fit into the body of a call, and phones load it during a purchase. */
export const MAX_LOGO_BYTES = 32 * 1024;

/** Pixels of each side. */
export const LOGO_SIDE = { min: 32, max: 1024 } as const;

/**
 * Sets the image that fans see beside a client's name. It needs no new review, but the approval of an open review must name
 * the version with this image.
 * @param base64 a PNG, JPEG or WebP, not animated, of at most 32 KiB, each side 32 to 1024 pixels (RFC 4648 §4)
 * @throws DomainError `not_found`; `invalid_request` with the fault of the image
 */
export async function setClientLogo(
  context: LogoContext,
  clientId: string,
  base64: string,
  actor: string,
): Promise<Client> {
  return replaceLogo(context, clientId, readImage(base64), actor);
}

/** Removes a client's logo: fans see the initials of its name. @throws DomainError `not_found` */
export function removeClientLogo(context: LogoContext, clientId: string, actor: string): Promise<Client> {
  return replaceLogo(context, clientId, undefined, actor);
}

/** Increments the client's version: an approval must name the present image, and an editor in review can't approve. */
function replaceLogo(
  context: LogoContext,
  clientId: string,
  image: LogoImage | undefined,
  actor: string,
): Promise<Client> {
  const { now } = context;
  return context.em.transactional(async (em) => {
    const found = { id: knownId('client', clientId) };
    // of two concurrent changes the second sees the first one's image
    const client = await em.findOne(Client, found, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!client) throw nothingUnder('client', clientId);
    const earlier = await em.findOne(ClientLogo, { client: client.id }, { refresh: true });
    const [before, after] = [earlier?.hash ?? null, image?.hash ?? null];
    if (before === after) return client;
    if (image) await em.upsert(ClientLogo, { client, ...image, setAt: now() });
    else await em.nativeDelete(ClientLogo, { client: client.id });
    await em.nativeUpdate(Client, found, { updatedAt: now() });
    await em.refresh(client);
    const within = { ...context, em };
    if (client.status === 'in_review') await addEditToReview(within, client, actor);
    const action = image ? 'client.logo_set' : 'client.logo_removed';
    const details = { before: { logo: before }, after: { logo: after } };
    recordAudit(within, { actor, action, subject: client.id, details });
    return client;
  });
}

function readImage(base64: string): LogoImage {
  const image = Buffer.from(base64, 'base64');
  // Buffer skips characters that are not base64
  if (image.length === 0 || image.toString('base64') !== base64)
    throw unusable('must be given in base64, with padding');
  if (image.length > MAX_LOGO_BYTES) {
    throw unusable(
      `has ${image.length.toLocaleString('en')} bytes; ${MAX_LOGO_BYTES.toLocaleString('en')} are allowed`,
    );
  }
  const header = readImageHeader(image);
  if (!header) throw unusable('must be a PNG, JPEG or WebP image, whatever its file is called');
  const { kind, width, height } = header;
  if (header.isAnimated) throw unusable('must not be animated');
  if (!header.isWhole) throw unusable('is cut off, or has something behind its end; save it again');
  if (Math.min(width, height) < LOGO_SIDE.min || Math.max(width, height) > LOGO_SIDE.max) {
    throw unusable(`has ${width} × ${height} pixels; each side must have ${LOGO_SIDE.min} to ${LOGO_SIDE.max}`);
  }
  const hash = createHash('sha256').update(image).digest('base64url');
  return { kind, width, height, size: image.length, hash, image };
}

/** @param fault continues "The logo …" */
function unusable(fault: string): DomainError {
  return new DomainError('invalid_request', `The logo ${fault}.`);
}
