import { Failure } from '../../kit/data/call.ts';

/** The limits of the service; larger pictures are scaled down here. */
const MAX_BYTES = 32 * 1024;
const MAX_SIDE = 1024;
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

export const LOGO_TYPES = TYPES.join();

/** Pixels of the longer side, tried in this order. */
const SMALLER_SIDES = [512, 256, 128];

/** A picture within the limits. */
interface FittedLogo {
  base64: string;
  isSmaller: boolean;
}

/** The file as it is, or scaled down to the limits. @throws Failure if the browser can't draw it */
export async function fitLogo(file: File): Promise<FittedLogo> {
  if (!TYPES.includes(file.type)) throw new Failure('invalid_request', 'Choose a PNG, JPEG or WebP image.');
  const picture = await createImageBitmap(file).catch(() => {
    throw new Failure('invalid_request', 'This file can’t be read as an image.');
  });
  try {
    const side = Math.max(picture.width, picture.height);
    if (file.size <= MAX_BYTES && side <= MAX_SIDE) return { base64: await base64Of(file), isSmaller: false };
    for (const smaller of SMALLER_SIDES) {
      const drawn = await draw(picture, Math.min(1, smaller / side));
      if (drawn.size <= MAX_BYTES) return { base64: await base64Of(drawn), isSmaller: true };
    }
    throw new Failure('invalid_request', 'This image is larger than 32 KiB even at 128 pixels. Choose a simpler one.');
  } finally {
    picture.close();
  }
}

/** WebP if the browser can encode it, else PNG. */
function draw(picture: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const drawing = canvas.getContext('2d');
  if (drawing) {
    drawing.imageSmoothingQuality = 'high';
    drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) =>
      blob
        ? resolve(blob)
        : reject(new Failure('internal', 'This browser can’t resize the image. Choose a smaller one.'));
    canvas.toBlob(take, 'image/webp', 0.92);
  });
}

async function base64Of(blob: Blob): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
}

/** The base64 part of a `data:` URL. */
export function partOf(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(',') + 1);
}
