import { setTimeout as sleep } from 'node:timers/promises';
import { type DisabledReason, NotificationEndpoint } from '../../entities/notification.ts';
import { PartnerMember } from '../../entities/partner-member.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { WithMail } from '../../platform/mail/mail-sender.ts';
import type { Fetch } from '../../platform/public-fetch.ts';
import { buryUnreadable } from './end-notifications.ts';
import { openSecrets } from './endpoint-secrets.ts';
import { type HeldLease, type LeasedEndpoint, maySend } from './lease-endpoints.ts';
import type { WaitingNotification } from './notification-body.ts';
import { recordDelivered, recordFailed } from './record-attempt.ts';
import { GIVE_UP_DAYS, RESTS_AFTER } from './retry-times.ts';
import { type SendContext, sendNotification } from './send-notification.ts';
import { createHeadReader, deferFollowers } from './waiting-heads.ts';

/** Concurrent attempts at one endpoint, of different lanes, at first. Each success allows one more, a failure resets them. */
const AT_FIRST = 4;
/** The most concurrent attempts, where few endpoints are served: enough for the rate of a process with answers in 300 ms. */
export const MOST_AT_ONCE = 32;
/** Heads that are read together. */
const READ_TOGETHER = 32;
/** How soon new notifications are looked for while attempts are under way. */
const LOOK_AGAIN_MS = 500;
/** How long an endpoint is served before others get their turn. */
const SERVED_MS = 20_000;

export type ServeContext = SendContext & Pick<Context, 'pool' | 'log' | 'requestId' | 'em'> & WithSecrets & WithMail;

export interface ServeOptions {
  fetch: Fetch;
  /** Resolves when the process may send one more. */
  turn: () => Promise<void>;
  /** No attempt begins after that. */
  stopped: AbortSignal;
  lease: Pick<HeldLease, 'isHeld'>;
  /** The most concurrent attempts of an endpoint, given those of the others. */
  share: () => number;
}

/**
 * Sends what waits for an endpoint until nothing is due, it fails too often, or its time is over. The next of a lane follows once the one
 * before it was recorded as delivered. A failure here leaves the notifications as they are: they are sent again, with the same `jti`.
 * @returns the time of its last delivery, if any
 */
export async function serveEndpoint(
  context: ServeContext,
  endpoint: LeasedEndpoint,
  options: ServeOptions,
): Promise<Date | undefined> {
  const { pool } = context;
  const secrets = endpoint.format === 'standard_webhooks' ? await openSecrets(context, endpoint.id) : [];
  const until = performance.now() + SERVED_MS;
  const busy = new Map<Uuid, Promise<void>>();
  const state = {
    failures: endpoint.failures,
    atOnce: AT_FIRST,
    ended: false,
    deliveredAt: undefined as Date | undefined,
  };
  const faults: unknown[] = [];
  const goesOn = () =>
    !options.stopped.aborted &&
    performance.now() < until &&
    !state.ended &&
    faults.length === 0 &&
    options.lease.isHeld();
  // after a rest one attempt tests the endpoint
  const atOnce = () => (state.failures >= RESTS_AFTER ? 1 : Math.min(state.atOnce, options.share()));

  async function attempt(notification: WaitingNotification): Promise<void> {
    await options.turn();
    if (!goesOn() || (await buryUnreadable(context, notification))) return;
    const { served = false, waits = false, url = '' } = (await maySend(pool, endpoint, notification)) ?? {};
    if (!served) state.ended = true;
    if (!waits || !goesOn()) return;
    const to = { fetch: options.fetch, endpoint: { ...endpoint, url }, secrets };
    const made = await sendNotification(context, to, notification);
    if (made.delivered) {
      await recordDelivered(context, endpoint, notification, made, state.failures);
      state.failures = 0;
      state.atOnce = Math.min(state.atOnce + 1, MOST_AT_ONCE);
      state.deliveredAt = context.now();
      return;
    }
    const { failures, rests, disabled } = await recordFailed(context, endpoint, notification, made);
    state.failures = failures;
    state.atOnce = AT_FIRST;
    state.ended ||= rests || disabled !== undefined;
    if (disabled) await tellDisabled(context, idOf('nep', endpoint.id), disabled);
  }

  const readHeads = createHeadReader(pool, endpoint.id);
  let ready: WaitingNotification[] = [];
  while (goesOn()) {
    // an attempt that ends during the read may have a follower
    const isIdle = busy.size === 0;
    if (ready.length === 0) {
      const reading = { now: context.now(), busy: [...busy.keys()], most: READ_TOGETHER };
      ready = [...(await readHeads(reading))];
    }
    if (ready.length === 0 && isIdle) {
      await deferFollowers(pool, endpoint.id, context.now());
      break;
    }
    while (ready.length > 0 && busy.size < atOnce() && goesOn()) {
      const next = ready.shift() as WaitingNotification;
      const sending = attempt(next).catch((error: unknown) => {
        faults.push(error);
      });
      busy.set(
        next.lane,
        sending.finally(() => busy.delete(next.lane)),
      );
    }
    // new notifications do not wait for a receiver that hangs
    const look = ready.length > 0 ? [] : [sleep(LOOK_AGAIN_MS, undefined, { ref: false })];
    if (busy.size > 0) await Promise.race([...busy.values(), ...look]);
  }
  await Promise.all(busy.values());
  if (faults.length > 0) throw faults[0];
  return state.deliveredAt;
}

/** E-mails for one endpoint; a partner has a few people. */
const MOST_MAILS = 20;

const WHY: Readonly<Record<Exclude<DisabledReason, 'partner'>, string>> = {
  failing: `All attempts of the last ${GIVE_UP_DAYS} days have failed.`,
  gone: 'It answered with the status 410 (Gone).',
};

/**
 * Writes to the people of the partner that their endpoint was disabled. The workspace shows it too, so a failure of the mail server is
 * only logged.
 */
async function tellDisabled(
  { em, mail, log, config }: Pick<Context, 'em' | 'log' | 'config'> & WithMail,
  endpointId: Id<'nep'>,
  reason: DisabledReason,
): Promise<void> {
  if (reason === 'partner') return;
  try {
    const fork = em.fork();
    const endpoint = await fork.findOne(NotificationEndpoint, { id: endpointId }, { populate: ['client'] });
    if (!endpoint) return;
    const { client } = endpoint;
    const where = { partner: client.partner.id, revokedAt: null, joinedAt: { $ne: null } };
    const people = await fork.find(PartnerMember, where, { limit: MOST_MAILS, orderBy: { id: 'asc' } });
    const text = [
      `The endpoint ${endpoint.url} of the client ${client.name} gets no more events. ${WHY[reason]}`,
      'Events from now on are not kept for it. Fix the endpoint and enable it, then replay the dead events:',
      `${config.partnersUrl}/events`,
    ].join('\n\n');
    for (const { email } of people)
      await mail.send({ to: email, subject: 'An endpoint for events was disabled', text });
  } catch (err) {
    log.warn({ err, endpoint: endpointId }, 'the e-mail about a disabled endpoint was not sent');
  }
}
