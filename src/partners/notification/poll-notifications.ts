import { setTimeout as sleep } from 'node:timers/promises';
import type { WithKeys } from '../../keys/key-ring.ts';
import type { Context } from '../../platform/context.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { DomainError } from '../../platform/errors.ts';
import { idOf, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { usableClient } from '../client/usable-client.ts';
import { buryUnreadable, countDead } from './end-notifications.ts';
import { endpointOfToken } from './endpoint-secrets.ts';
import type { WaitingNotification } from './notification-body.ts';
import { signSet } from './sign-set.ts';
import { WAITING_COLUMNS } from './waiting-heads.ts';

/** Sets of one answer, and the largest `maxEvents`. */
export const MOST_SETS = 100;
/** How long a poll that may wait is held. Less than what proxies usually allow. */
const HELD_MS = 20_000;
const LOOK_EVERY_MS = 1_000;
/** Polls that a process holds at a time; another is answered immediately. */
const MOST_HELD = 200;

/** @see RFC 8936 §2.2, §2.4 */
export interface PollRequest {
  /** 0 acknowledges only. */
  maxEvents: number;
  returnImmediately: boolean;
  ack: readonly string[];
  setErrs: Readonly<Record<string, { err: string; description: string }>>;
}

/** @see RFC 8936 §2.3 */
export interface PollResponse {
  /** Each a Security Event Token under its `jti`, in the order of their lanes. */
  sets: Record<string, string>;
  moreAvailable: boolean;
}

type PollContext = Pick<Context, 'pool' | 'now' | 'config' | 'log'> & WithKeys;

/** An endpoint that polls, behind its token. */
export interface PollingEndpoint {
  id: Uuid;
  client_id: Uuid;
  paused: boolean;
}

/** `$2` is now. A program may poll all the time: this is recorded once a minute. */
const POLL_UNNOTED = `(e.last_polled_at is null or e.last_polled_at <= $2::timestamptz - interval '1 minute')`;

const findEndpoint = prepared<PollingEndpoint & { usable: boolean; enabled: boolean; unnoted: boolean }>(`
  select e.id, e.client_id, e.paused_at is not null as paused, e.disabled_at is null as enabled, ${usableClient('c')} as usable,
    ${POLL_UNNOTED} as unnoted
  from notification_endpoint e join client c on c.id = e.client_id where e.id = $1 and e.format = 'set_poll'`);
const notePoll = prepared(`update notification_endpoint e set last_polled_at = $2 where e.id = $1 and ${POLL_UNNOTED}`);

/**
 * Finds the endpoint of a token, and notes that it polls.
 * @throws DomainError `access_token_invalid` for an unknown token, one of a disabled endpoint, or of a client that is not usable
 */
export async function findPollingEndpoint(context: PollContext, token: string): Promise<PollingEndpoint> {
  const id = await endpointOfToken(context, token);
  const [endpoint] = id === undefined ? [] : await findEndpoint(context.pool, [id, context.now()]);
  if (!endpoint) throw new DomainError('access_token_invalid', 'This is not the token of an endpoint that polls.');
  if (!endpoint.enabled) throw new DomainError('access_token_invalid', 'The endpoint of this token is disabled.');
  if (!endpoint.usable) throw new DomainError('access_token_invalid', 'The client of this endpoint is not enabled.');
  if (endpoint.unnoted) await notePoll(context.pool, [endpoint.id, context.now()]);
  return endpoint;
}

const acknowledge = prepared(`
  update notification set state = 'delivered', ended_at = $3, failure = null
  where endpoint_id = $1 and jti = any($2) and ${filterOnly(`state = 'waiting'`)}`);
const noteAcknowledged = prepared('update notification_endpoint set last_delivered_at = $2 where id = $1');
/** `$4` repeats each `jti`, so that the planner expects few. */
const refuse = prepared(`
  update notification n set state = 'dead', ended_at = $3, failure = given.failure
  from jsonb_to_recordset($2::jsonb) as given(jti uuid, failure text)
  where n.endpoint_id = $1 and n.jti = given.jti and n.jti = any($4) and ${filterOnly(`n.state = 'waiting'`)} returning n.id`);

/** Repeating it changes nothing; a `jti` that is not of this endpoint is ignored. */
async function settle(
  { pool, now }: PollContext,
  { id }: PollingEndpoint,
  { ack, setErrs }: PollRequest,
): Promise<void> {
  const taken = ack.flatMap((jti) => tryUuidOf('ntf', jti) ?? []);
  if (taken.length > 0) {
    await acknowledge(pool, [id, taken, now()]);
    await noteAcknowledged(pool, [id, now()]);
  }
  const refused = Object.entries(setErrs).flatMap(([jti, { err, description }]) => {
    const uuid = tryUuidOf('ntf', jti);
    return uuid === undefined ? [] : [{ jti: uuid, failure: storableText(`refused: ${err}, ${description}`, 300) }];
  });
  if (refused.length > 0) {
    const jtis = refused.map(({ jti }) => jti);
    countDead('refused', (await refuse(pool, [id, JSON.stringify(refused), now(), jtis])).length);
  }
}

/** `waiting` is a subquery, no constant, so that the planner chooses the index in the order of ids, not a partial one (D-337). */
const readWaiting = preparedWithDates<WaitingNotification>(`
  with next as (
    select id from notification where endpoint_id = $1 and state = (select 'waiting') and expires_at > $2 order by id limit $3
  ), handed as (
    update notification n set attempts = n.attempts + 1 from next where n.id = next.id and next.id = any(array(
      select id from next order by id limit $4))
  )
  select ${WAITING_COLUMNS} from notification n join next on next.id = n.id order by n.id`);

let held = 0;

/**
 * Acknowledges what the client received, and returns what waits, in order. What is not acknowledged is returned again.
 * @param gone aborted when the caller is gone
 * @see RFC 8936 §2
 */
export async function pollNotifications(
  context: PollContext,
  endpoint: PollingEndpoint,
  request: PollRequest,
  gone: AbortSignal,
): Promise<PollResponse> {
  await settle(context, endpoint, request);
  const most = Math.min(request.maxEvents, MOST_SETS);
  if (most === 0 || endpoint.paused) return { sets: {}, moreAvailable: false };
  const answer = await handOut(context, endpoint, most);
  if (request.returnImmediately || isFull(answer) || held >= MOST_HELD) return answer;
  return hold(() => handOut(context, endpoint, most), gone);
}

function isFull({ sets }: PollResponse): boolean {
  return Object.keys(sets).length > 0;
}

async function hold(look: () => Promise<PollResponse>, gone: AbortSignal): Promise<PollResponse> {
  held += 1;
  try {
    const until = performance.now() + HELD_MS;
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => undefined);
      if (gone.aborted) return { sets: {}, moreAvailable: false };
      const answer = await look();
      if (isFull(answer) || performance.now() > until) return answer;
    }
  } finally {
    held -= 1;
  }
}

async function handOut(context: PollContext, endpoint: PollingEndpoint, most: number): Promise<PollResponse> {
  const waiting = await readWaiting(context.pool, [endpoint.id, context.now(), most + 1, most]);
  const clientId = idOf('client', endpoint.client_id);
  const signed = await Promise.all(
    waiting.slice(0, most).map(async (each) => {
      if (await buryUnreadable(context, each)) return [];
      return [[idOf('ntf', each.jti), await signSet(context, clientId, each)] as const];
    }),
  );
  return { sets: Object.fromEntries(signed.flat()), moreAvailable: waiting.length > most };
}
