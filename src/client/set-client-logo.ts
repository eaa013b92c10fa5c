import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { readImageHeader } from './image-header.ts';
import { type LogoImage, replaceLogo } from './replace-logo.ts';

/** Bytes. In base64 it must fit into the body of a call, and a phone loads it in the middle of a purchase. */
export const MAX_LOGO_BYTES = 32 * 1024;

/** Pixels of each side. */
export const LOGO_SIDE = { min: 32, max: 1024 } as const;

/**
 * Sets the picture that fans see beside a client's name, in the place of the one before. Like the name it needs no new
 * review; a review that is open begins anew in so far as its approval must name the version with this picture.
 * @param base64 a PNG, JPEG or WebP, still, of at most 32 KiB, each side 32 to 1024 pixels (RFC 4648 §4)
 * @returns the client as it is now; where it has this very picture, as it was
 * @throws DomainError `not_found`; `invalid_request` saying what is wrong with the picture
 */
export async function setClientLogo(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  base64: string,
  actor: string,
): Promise<Client> {
  return replaceLogo(context, clientId, imageIn(base64), actor);
}

function imageIn(base64: string): LogoImage {
  const image = Buffer.from(base64, 'base64');
  // Buffer reads over what does not belong there
  if (image.length === 0 || image.toString('base64') !== base64) throw unfit('must be given in base64, with padding');
  if (image.length > MAX_LOGO_BYTES) {
    throw unfit(`has ${image.length.toLocaleString('en')} bytes; ${MAX_LOGO_BYTES.toLocaleString('en')} are allowed`);
  }
  const header = readImageHeader(image);
  if (!header) throw unfit('must be a PNG, JPEG or WebP image, whatever its file is called');
  const { kind, width, height } = header;
  if (header.isAnimated) throw unfit('must not be animated');
  if (!header.isWhole) throw unfit('is cut off, or has something behind its end; save it anew');
  if (Math.min(width, height) < LOGO_SIDE.min || Math.max(width, height) > LOGO_SIDE.max) {
    throw unfit(`has ${width} × ${height} pixels; each side must have ${LOGO_SIDE.min} to ${LOGO_SIDE.max}`);
  }
  const hash = createHash('sha256').update(image).digest('base64url');
  return { kind, width, height, size: image.length, hash, image };
}

/** @param fault continues "The logo …" */
function unfit(fault: string): DomainError {
  return new DomainError('invalid_request', `The logo ${fault}.`);
}
