import type { LogoKind } from '../entities/client.ts';

export interface ImageHeader {
  kind: LogoKind;
  /** Pixels. */
  width: number;
  height: number;
  isAnimated: boolean;
  /** Whether the image ends where its bytes do: nothing is missing, nothing is appended. */
  isWhole: boolean;
}

/** Reads an image's kind and size from its bytes. @returns undefined where it is no PNG, JPEG or WebP, or too short */
export function readImageHeader(image: Buffer): ImageHeader | undefined {
  try {
    if (startsWith(image, PNG_SIGNATURE)) return readPng(image);
    if (startsWith(image, [0xff, 0xd8, 0xff])) return readJpeg(image);
    if (tag(image, 0) === 'RIFF' && tag(image, 8) === 'WEBP') return readWebp(image);
  } catch (error) {
    // read beyond the last byte
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** @see https://www.w3.org/TR/png-3/#5Chunk-layout a length, a type, data and a checksum; `acTL` makes it animated */
function readPng(image: Buffer): ImageHeader | undefined {
  if (tag(image, 12) !== 'IHDR') return undefined;
  const header = { kind: 'png', width: image.readUInt32BE(16), height: image.readUInt32BE(20) } as const;
  let isAnimated = false;
  for (let at = PNG_SIGNATURE.length; at + 12 <= image.length; ) {
    const type = tag(image, at + 4);
    at += 12 + image.readUInt32BE(at);
    if (type === 'acTL') isAnimated = true;
    if (type === 'IEND') return { ...header, isAnimated, isWhole: at === image.length };
  }
  return { ...header, isAnimated, isWhole: false };
}

/** Start-of-frame markers are C0 to CF except these. @see ITU-T T.81 §B.1.1.3, §B.2.2 */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

function readJpeg(image: Buffer): ImageHeader | undefined {
  for (let at = 2; ; ) {
    if (image.readUInt8(at) !== 0xff) return undefined;
    const marker = image.readUInt8(at + 1);
    // fill bytes before a marker
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker)) {
      const isWhole = image.readUInt16BE(image.length - 2) === 0xffd9;
      const [height, width] = [image.readUInt16BE(at + 5), image.readUInt16BE(at + 7)];
      return { kind: 'jpeg', width, height, isAnimated: false, isWhole };
    }
    at += 2 + image.readUInt16BE(at + 2);
  }
}

/** @see RFC 9649 §2.5 to §2.7: the simple formats, and the extended one with the animation flag */
function readWebp(image: Buffer): ImageHeader | undefined {
  const common = { kind: 'webp', isAnimated: false, isWhole: image.readUInt32LE(4) + 8 === image.length } as const;
  switch (tag(image, 12)) {
    case 'VP8 ':
      if (image.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { ...common, width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      if (image.readUInt8(20) !== 0x2f) return undefined;
      const sizes = image.readUInt32LE(21);
      return { ...common, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const isAnimated = (image.readUInt8(20) & 0x02) !== 0;
      return { ...common, isAnimated, width: image.readUIntLE(24, 3) + 1, height: image.readUIntLE(27, 3) + 1 };
    }
    default:
      return undefined;
  }
}

function startsWith(image: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => image[index] === byte);
}

function tag(image: Buffer, at: number): string {
  return image.toString('latin1', at, at + 4);
}
