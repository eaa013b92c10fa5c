import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';

/** Allowed image formats. No SVG, which can contain scripts and external references. */
export const LOGO_KINDS = ['png', 'jpeg', 'webp'] as const;
export type LogoKind = (typeof LOGO_KINDS)[number];

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

interface ImageHeader {
  kind: LogoKind;
  /** Pixels. */
  width: number;
  height: number;
  isAnimated: boolean;
  /** Whether the image ends where its bytes do: nothing is missing, nothing is appended. */
  isWhole: boolean;
}

const READERS: Readonly<Record<LogoKind, (image: Buffer) => Pick<ImageHeader, 'isAnimated' | 'isWhole'>>> = {
  png: readPng,
  jpeg: (image) => ({ isAnimated: false, isWhole: image.readUInt16BE(image.length - 2) === 0xffd9 }),
  webp: readWebp,
};

/** Length of WebP's header, in bytes: the library reads beyond a shorter image without an error. */
const HEADER_LENGTH = 30;

/** Reads an image's kind and size from its bytes. @returns undefined where it is no PNG, JPEG or WebP, or too short */
export function readImageHeader(image: Buffer): ImageHeader | undefined {
  if (image.length < HEADER_LENGTH) return undefined;
  try {
    const { type, width, height } = imageSize(image);
    const kind = LOGO_KINDS.find((known) => known === (type === 'jpg' ? 'jpeg' : type));
    return kind && { kind, width, height, ...READERS[kind](image) };
  } catch {
    // the library can't read it, or reads beyond the last byte
    return undefined;
  }
}

const PNG_SIGNATURE_LENGTH = 8;

/** @see https://www.w3.org/TR/png-3/#5Chunk-layout a length, a type, data and a checksum; `acTL` makes it animated */
function readPng(image: Buffer): Pick<ImageHeader, 'isAnimated' | 'isWhole'> {
  let isAnimated = false;
  for (let at = PNG_SIGNATURE_LENGTH; at + 12 <= image.length; ) {
    const type = tag(image, at + 4);
    at += 12 + image.readUInt32BE(at);
    if (type === 'acTL') isAnimated = true;
    if (type === 'IEND') return { isAnimated, isWhole: at === image.length };
  }
  return { isAnimated, isWhole: false };
}

/** @see RFC 9649 §2.7: only the extended format has an animation flag */
function readWebp(image: Buffer): Pick<ImageHeader, 'isAnimated' | 'isWhole'> {
  const isAnimated = tag(image, 12) === 'VP8X' && (image.readUInt8(20) & 0x02) !== 0;
  return { isAnimated, isWhole: image.readUInt32LE(4) + 8 === image.length };
}

function tag(image: Buffer, at: number): string {
  return image.toString('latin1', at, at + 4);
}
