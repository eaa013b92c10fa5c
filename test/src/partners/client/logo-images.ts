import { crc32, deflateSync } from 'node:zlib';

/** Small images of 64 × 48 pixels in one colour, one per way in which they are encoded. */
export const IMAGES = {
  jpeg: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAwAEADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCGiiiggKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigD/9k=',
  webpLossy: 'UklGRkQAAABXRUJQVlA4IDgAAABwAwCdASpAADAAP3G41mO0rysmoqgCkC4JZwDRgAh9fVjzagAA/uP6RekulzH6UuLkIIIfAAAAAA==',
  webpLossless: 'UklGRiQAAABXRUJQVlA4TBcAAAAvP8ALAAdQrj60qf8BICH8Xy9G9D/1AwA=',
  webpExtended:
    'UklGRpgAAABXRUJQVlA4WAoAAAAQAAAAPwAALwAAQUxQSBsAAAABDzD/ERFCTdsGTMsfdAB03BH9nwDlA/iyGwEAVlA4IFYAAAAwBACdASpAADAAP3Gey100qiiksrJJmpAuCWIAyUwIhfJRbeB8eLpzfAAA/uM+tluDjCaTMxXjEN9D/rATlsSvuBq8s2g7oM6liYVf6qp6/Ao+1Q9YAA==',
  webpAnimated:
    'UklGRu4AAABXRUJQVlA4WAoAAAACAAAAPwAALwAAQU5JTQYAAAAAAAAAAABBTk1GXAAAAAAAAAAAAD8AAC8AAGQAAAJWUDggRAAAAPADAJ0BKkAAMAA+bTaYSSQjIqEiqACADYlnBigAAn9n5CRtaDJiJgAA/vHcjzselb//wrX9aH9vOarbhzalX8VcAAAAQU5NRl4AAAAAAAAAAAA/AAAvAABkAAAAVlA4IEYAAADUAwCdASpAADAAPm0wkkkCKgAA2JZwYoAJkB+AAIqJrN+xgP/gFwAA/vQYt//vvQG8n///vGf7ZP9sn/yacF7Bh1swXQAA',
} as const;

export interface PngTraits {
  /** Pixels of each side. */
  width?: number;
  height?: number;
  /** RGB, 0 to 255. */
  colour?: [number, number, number];
  isAnimated?: boolean;
  /** Bytes of a text inside the file, for images that are too large. */
  padding?: number;
}

/** A PNG in one colour. */
export function png({
  width = 64,
  height = 64,
  colour = [200, 30, 60],
  isAnimated = false,
  padding = 0,
}: PngTraits = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits of red, green and blue
  header.set([8, 2], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.from(colour))]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    ...(isAnimated ? [chunk('acTL', Buffer.alloc(8, 1))] : []),
    ...(padding > 0 ? [chunk('tEXt', Buffer.alloc(padding, 65))] : []),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
