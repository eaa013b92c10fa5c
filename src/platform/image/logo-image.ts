import { createHash } from 'node:crypto';
import type { LogoKind } from './image-header.ts';
import { readImageHeader } from './image-header.ts';

/** An image that pages show beside a name: of a client, or of the operator. */
export interface LogoImage {
  kind: LogoKind;
  /** Pixels. */
  width: number;
  height: number;
  /** Bytes. */
  size: number;
  /** SHA-256 in base64url. */
  hash: string;
  image: Buffer;
}

/** Bytes. In base64 it must fit into the body of a call, and phones load it during a purchase. */
export const MAX_LOGO_BYTES = 32 * 1024;

/** Pixels of each side. */
export const LOGO_SIDE = { min: 32, max: 1024 } as const;

/**
 * Reads a logo: a PNG, JPEG or WebP, not animated, of at most 32 KiB, each side 32 to 1024 pixels.
 * @returns the fault where it is none, continuing "The logo …"
 */
export function readLogoImage(image: Buffer): LogoImage | { fault: string } {
  if (image.length > MAX_LOGO_BYTES) {
    return {
      fault: `has ${image.length.toLocaleString('en')} bytes; ${MAX_LOGO_BYTES.toLocaleString('en')} are allowed`,
    };
  }
  const header = readImageHeader(image);
  if (!header) return { fault: 'must be a PNG, JPEG or WebP image, whatever its file is called' };
  const { kind, width, height } = header;
  if (header.isAnimated) return { fault: 'must not be animated' };
  if (!header.isWhole) return { fault: 'is cut off, or has something behind its end; save it again' };
  if (Math.min(width, height) < LOGO_SIDE.min || Math.max(width, height) > LOGO_SIDE.max) {
    return { fault: `has ${width} × ${height} pixels; each side must have ${LOGO_SIDE.min} to ${LOGO_SIDE.max}` };
  }
  const hash = createHash('sha256').update(image).digest('base64url');
  return { kind, width, height, size: image.length, hash, image };
}
