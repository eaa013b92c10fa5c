import type { Server } from 'node:net';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { authorizeCall, type Call } from '../../../schema/context.ts';
import { noteFollower } from '../../../src/inventory/feed/followers.ts';
import { positionOf, readNewEnd } from '../../../src/inventory/feed/give-positions.ts';
import {
  cursorAt,
  eventToFollow,
  GIVING_MS,
  type Page,
  readChanges,
  readShared,
  readSnapshot,
} from '../../../src/inventory/feed/read-feed.ts';
import type { TicketLine } from '../../../src/inventory/feed/ticket-line.ts';
import { waitForChanges } from '../../../src/inventory/feed/wait-for-changes.ts';
import { isService, type ServiceCaller } from '../../../src/partners/rights.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import { recordAudit } from '../../../src/record/audit/record-audit.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import type { RequestContext } from '../../http/request-state.ts';
import { begin } from './export-audit.ts';
import { findByBearer } from './find-staff.ts';
import { readQuery, refuseCall } from './import-endpoint.ts';
import type { CountCall } from './service-limits.ts';

type Handle = (ctx: RequestContext) => Promise<void>;

/** Lines of a call, and the default. */
const MOST_LINES = 1_000;
/** Seconds. */
const LONGEST_WAIT = 30;
const WAIT = 25;

const event = z
  .string()
  .max(200)
  .regex(/^[^\0]+$/, 'must be the reference of an event')
  .optional();
const whole = (from: number, to: number, otherwise: number) => {
  const message = `must be a whole number from ${from} to ${to.toLocaleString('en')}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, message)
    .transform(Number)
    .refine((n) => n >= from && n <= to, message)
    .default(otherwise);
};

const SnapshotQuery = z.strictObject({ event });
const ChangesQuery = z.strictObject({
  after: z.string('must be a cursor of the feed'),
  event,
  limit: whole(1, MOST_LINES, MOST_LINES),
  wait: whole(0, LONGEST_WAIT, WAIT),
});

/** `GET {ADMIN_URL}/feed`: every ticket as it is, as NDJSON, and a cursor from which to follow. For service accounts. */
export function snapshotEndpoint(runtime: Runtime, countCall: CountCall): Handle {
  return (ctx) =>
    answerLines(runtime, ctx, countCall, async (context, caller) => {
      const { event: reference } = readQuery(SnapshotQuery, ctx.query);
      const id = await eventToFollow(context.pool, reference);
      const details = { event: reference ?? null };
      recordAudit(context, {
        actor: `service:${caller.id}`,
        action: 'inventory.snapshot_read',
        subject: caller.id,
        details,
      });
      await context.em.flush();
      async function* lines() {
        const end = yield* asBodies(readSnapshot(context.pool, id, context.now()));
        await noteFollower(context, { account: caller.id, event: reference, position: end.position, bySnapshot: true });
        yield lastLine(cursorAt(end));
      }
      return lines();
    });
}

/**
 * `GET {ADMIN_URL}/feed/changes`: the tickets that have changed since a cursor, as NDJSON, and the next cursor. Where there is none, it
 * waits for one. For service accounts.
 */
export function changesEndpoint(runtime: Runtime, countCall: CountCall): Handle {
  return (ctx) =>
    answerLines(runtime, ctx, countCall, async (context, caller) => {
      const { after, limit, wait, event: reference } = readQuery(ChangesQuery, ctx.query);
      const { pool } = context;
      const until = performance.now() + wait * 1_000;
      let position = await positionOf(pool, after);
      const id = await eventToFollow(pool, reference);
      await noteFollower(context, { account: caller.id, event: reference, position, bySnapshot: false });
      const { server } = ctx.req.socket as typeof ctx.req.socket & { server?: Server };
      const isOver = () => ctx.res.closed || server?.listening === false;
      async function* lines() {
        let end = await readNewEnd(pool, GIVING_MS);
        for (let read = 0; ; ) {
          const since = { after: position, upto: end.position, event: id };
          for await (const page of readChanges(pool, since, limit, readShared)) {
            position = page.position;
            read += page.lines.length;
            if (page.lines.length > 0) yield bodyOf(page);
          }
          if (read > 0 || performance.now() >= until || isOver()) break;
          end = await waitForChanges(pool, end, { position, until, isOver });
          if (end.position <= position) break;
        }
        yield lastLine(cursorAt(end, position));
      }
      return lines();
    });
}

/** Answers with lines: the first part is read before the answer begins, so that a failure still has a status. */
async function answerLines(
  runtime: Runtime,
  ctx: RequestContext,
  countCall: CountCall,
  linesFor: (context: ServiceContext, caller: ServiceCaller) => Promise<AsyncGenerator<Buffer>>,
): Promise<void> {
  try {
    const { requestId } = ctx.state;
    const caller = await findByBearer(createContext(runtime, requestId), ctx);
    const work = () => createContext(runtime, requestId, caller?.tokenId);
    const call: Call = { context: work(), work, viewer: caller };
    if (caller === undefined) {
      throw new DomainError('sign_in_required', 'Send the token of a service account: Authorization: Bearer sv_…');
    }
    await countCall(ctx, caller);
    await authorizeCall(call, 'inventory:read', 'feed');
    // its lines have the numbers of fans, which people see one by one
    if (!isService(caller))
      throw new DomainError(
        'forbidden',
        'The feed is for service accounts; people read ticketChanges through GraphQL.',
      );
    const lines = await begin(await linesFor(call.context, caller));
    ctx.type = 'application/x-ndjson';
    // a proxy must not hold lines back
    ctx.set('X-Accel-Buffering', 'no');
    ctx.body = Readable.from(lines, { objectMode: false });
  } catch (error) {
    refuseCall(ctx, runtime, error);
  }
}

const bodies = new WeakMap<Page, Buffer>();

/** The lines of a page, which followers share. */
function bodyOf(page: Page): Buffer {
  const body = bodies.get(page) ?? asBody(page.lines);
  bodies.set(page, body);
  return body;
}

async function* asBodies<End>(parts: AsyncGenerator<readonly TicketLine[], End>): AsyncGenerator<Buffer, End> {
  for (;;) {
    const part = await parts.next();
    if (part.done) return part.value;
    if (part.value.length > 0) yield asBody(part.value);
  }
}

function asBody(lines: readonly TicketLine[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function lastLine(cursor: string): Buffer {
  return Buffer.from(`${JSON.stringify({ cursor })}\n`);
}
