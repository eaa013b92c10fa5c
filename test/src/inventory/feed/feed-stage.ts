import type { Pool } from 'pg';
import { readNewEnd } from '../../../../src/inventory/feed/give-positions.ts';
import { type Page, readChanges, readSnapshot, type Span } from '../../../../src/inventory/feed/read-feed.ts';
import type { TicketLine } from '../../../../src/inventory/feed/ticket-line.ts';
import type { Uuid } from '../../../../src/platform/identifier/type-id.ts';

/** A reader of the feed that is where the feed ends now. @returns a function that reads what has changed since it was called last */
export async function followFrom(pool: Pool, event: Uuid | null = null) {
  let { position } = await readNewEnd(pool, 10_000);
  return async (): Promise<TicketLine[]> => {
    const { position: upto } = await readNewEnd(pool, 10_000);
    const pages = await pagesOf(pool, { after: position, upto, event }, Number.POSITIVE_INFINITY);
    position = upto;
    return pages.flatMap(({ lines }) => lines);
  };
}

/** All pages of a part of the feed. */
export async function pagesOf(pool: Pool, span: Span, limit: number): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const page of readChanges(pool, span, limit)) pages.push(page);
  return pages;
}

/** A whole snapshot, and the end of the feed that it gave. */
export async function snapshotOf(pool: Pool, event: Uuid | null = null, now = new Date()) {
  const lines: TicketLine[] = [];
  const parts = readSnapshot(pool, event, now);
  for (;;) {
    const part = await parts.next();
    if (part.done) return { lines, end: part.value };
    lines.push(...part.value);
  }
}
