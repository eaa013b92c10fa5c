import { DomainError } from '../../platform/errors.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';

/** A place in the feed, in the history that a span belongs to. */
export interface FeedPlace {
  /** Id of the first span: the database. */
  database: Uuid;
  span: number;
  spanId: Uuid;
  /** The last position that was read. */
  position: number;
}

/** A place as its cursor names it: the beginnings of the two ids, in hex. */
export type NamedPlace = Record<'database' | 'spanId', string> & Pick<FeedPlace, 'span' | 'position'>;

const CURSOR = /^[\w-]{32}$/;
/** Bytes of each id. */
const OF_DATABASE = 8;
const OF_SPAN = 4;

/** The cursor of a place: opaque to its reader. */
export function writeCursor({ database, span, spanId, position }: FeedPlace): string {
  const bytes = Buffer.alloc(24);
  bytes.write(beginningOf(database, OF_DATABASE), 'hex');
  bytes.writeUInt32BE(span, 8);
  bytes.write(beginningOf(spanId, OF_SPAN), 12, 'hex');
  bytes.writeBigInt64BE(BigInt(position), 16);
  return bytes.toString('base64url');
}

/** @throws DomainError `invalid_request` for what is no cursor */
export function readCursor(text: string): NamedPlace {
  const bytes = Buffer.from(CURSOR.test(text) ? text : '', 'base64url');
  const position = bytes.length === 24 ? Number(bytes.readBigInt64BE(16)) : -1;
  if (!Number.isSafeInteger(position) || position < 0) throw unknownCursor();
  return {
    database: bytes.toString('hex', 0, 8),
    span: bytes.readUInt32BE(8),
    spanId: bytes.toString('hex', 12, 16),
    position,
  };
}

/** Whether a place is of a database. */
export function isOf(place: NamedPlace, database: Uuid): boolean {
  return place.database === beginningOf(database, OF_DATABASE);
}

/** Whether a place is in a span. */
export function isIn(place: NamedPlace, spanId: Uuid): boolean {
  return place.spanId === beginningOf(spanId, OF_SPAN);
}

export function unknownCursor(): DomainError {
  const message =
    'after is not a cursor of this feed. Send the last cursor as you got it, or take a snapshot: GET …/feed.';
  return new DomainError('invalid_request', message);
}

function beginningOf(id: Uuid, bytes: number): string {
  return id.replaceAll('-', '').slice(0, 2 * bytes);
}
