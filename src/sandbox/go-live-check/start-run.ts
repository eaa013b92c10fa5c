import { Client } from '../../entities/client.ts';
import { GoLiveRun } from '../../entities/go-live-check.ts';
import { lockClient } from '../../partners/client/locked-client.ts';
import { openReviewOf } from '../../partners/client/review.ts';
import { isUsable } from '../../partners/client/usable-client.ts';
import type { WriteContext } from '../../platform/context.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after, DAY } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { finishRun } from './finish-run.ts';
import { newRunKeys } from './run-addresses.ts';

/** Seconds from start to end of a run. */
export const RUN_LIFETIME = DAY;
/** Runs that a client may start in a day. */
export const MOST_RUNS_A_DAY = 20;

/**
 * Starts a run against a sandbox client. A client has one at a time.
 * @throws DomainError `not_found`; `conflict` where the client is not a usable sandbox client, has a run already, or had too many today
 */
export async function startRun(context: WriteContext, clientId: Id<'client'>, actor: string): Promise<GoLiveRun> {
  const keys = await newRunKeys();
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const { now } = context;
    // of two at the same time, the second sees the run of the first
    await lockClient(within, clientId);
    const client = await em.findOneOrFail(Client, { id: clientId }, { populate: ['stopped'], refresh: true });
    if (client.mode !== 'sandbox') throw new DomainError('conflict', 'A go-live check runs against a sandbox client.');
    if (!isUsable(client)) throw new DomainError('conflict', 'The client has been stopped. Ask staff.');
    const open = await em.findOne(GoLiveRun, { client: clientId, finishedAt: null }, { refresh: true });
    if (open && open.expiresAt > now()) {
      throw new DomainError('conflict', 'The client has a go-live check that is not finished.');
    }
    if (open) await finishRun(within, open.id, 'system');
    const today = await em.count(GoLiveRun, { client: clientId, startedAt: { $gt: after(now(), -DAY) } });
    if (today >= MOST_RUNS_A_DAY) {
      throw new DomainError('conflict', `A client can have ${MOST_RUNS_A_DAY} go-live checks in a day.`);
    }
    const run = em.create(GoLiveRun, {
      partner: client.partner,
      client,
      startedBy: actor,
      startedAt: now(),
      expiresAt: after(now(), RUN_LIFETIME),
      redirectUris: client.redirectUris,
      keys,
    });
    recordAudit(within, { actor, action: 'go_live_check.started', subject: run.id, details: { client: clientId } });
    await em.flush();
    return run;
  });
}

/**
 * Attaches a run to a production client of the same partner, once: its reviews show the sheet.
 * @throws DomainError `not_found`; `conflict` where it is attached already, or the client is no production client
 */
export async function attachRun(
  context: WriteContext,
  runId: Id<'chk'>,
  clientId: Id<'client'>,
  actor: string,
): Promise<GoLiveRun> {
  return context.em.transactional(async (em) => {
    const client = await rowUnder(em, Client, 'client', clientId, { refresh: true });
    if (client.mode !== 'production') {
      throw new DomainError('conflict', 'A go-live check is attached to a production client.');
    }
    const review = await openReviewOf({ em }, client);
    const productionRedirectUris = review?.registration.redirectUris ?? client.redirectUris;
    const attached = await em.nativeUpdate(
      GoLiveRun,
      { id: runId, productionClient: null, partner: client.partner.id },
      { productionClient: clientId, productionRedirectUris },
    );
    if (attached === 0) throw new DomainError('conflict', 'This go-live check is attached to a client already.');
    const details = { client: clientId };
    recordAudit({ ...context, em }, { actor, action: 'go_live_check.attached', subject: runId, details });
    return em.findOneOrFail(GoLiveRun, { id: runId }, { refresh: true });
  });
}
