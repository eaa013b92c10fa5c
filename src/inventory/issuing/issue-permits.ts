import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import { isUnreadable } from '../../chain/gateway/read-accounts.ts';
import { ISSUE, type PermitToIssue } from '../../chain/instruction/permit-batches.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { after } from '../../platform/time.ts';
import { type IssueRun, reportSetAside } from './issue-run.ts';
import type { Work } from './send-waiting.ts';
import {
  dropWaiting,
  forgetEvents,
  markIssued,
  postponeWaiting,
  REASON_LENGTH,
  setAside,
  type TakenPermit,
} from './waiting-permits.ts';

/** Seconds until an account that was made or closed elsewhere is final. */
export const FINAL_AFTER_SECONDS = 5;

export const ISSUING: Work<PermitToIssue> = {
  closes: false,
  kind: ISSUE,
  ready: issuable,
  rentOf: ({ chain }) => chain.gateway.rentExemption(accountDataLength('Permit')),
};

/** The permits that can be issued now. The others leave the queue, or are set aside with the reason. */
async function issuable(run: IssueRun, taken: readonly TakenPermit[]): Promise<PermitToIssue[]> {
  const { context, chain } = run;
  const { pool, now } = context;
  await dropWaiting(pool, [taken.filter(({ wanted }) => !wanted).map(({ id }) => id)]);
  const wanted = taken.filter((permit) => permit.wanted);
  const [events, readings] = await Promise.all([
    missingEvents(run, wanted),
    chain.gateway.permits(wanted.map(({ address }) => address)),
  ]);
  const aside: { id: string; reason: string }[] = [];
  const there: TakenPermit[] = [];
  const permits: PermitToIssue[] = [];
  for (const [index, permit] of wanted.entries()) {
    const reading = readings[index];
    const reason = isUnreadable(reading) ? reading.reason : faultOf(permit, events);
    if (reading !== undefined && !isUnreadable(reading)) there.push(permit);
    else if (reason !== undefined) aside.push({ id: permit.id, reason: storableText(reason, REASON_LENGTH) });
    else if (permit.owner !== null) permits.push({ ...permit, owner: permit.owner, ticketId: permit.ticket_id });
  }
  await adopt(run, there);
  if (aside.length > 0) reportSetAside(run, await setAside(pool, [JSON.stringify(aside), now()]));
  return permits;
}

function faultOf({ owner, registered, event }: TakenPermit, missing: ReadonlySet<string>): string | undefined {
  if (owner === null) return 'its holder has no wallet, or nobody holds it';
  if (!registered) return 'its event is not on the chain yet';
  return missing.has(event) ? 'its event is not on the chain any more, and is registered again' : undefined;
}

/** Events that count as registered, and are not on the chain: a fork dropped them. */
async function missingEvents({ context, chain }: IssueRun, permits: readonly TakenPermit[]): Promise<Set<string>> {
  const events = [...new Set(permits.filter(({ registered }) => registered).map(({ event }) => event))];
  const readings = await chain.gateway.events(events);
  const missing = events.filter((_, index) => readings[index] === undefined);
  if (missing.length > 0) await forgetEvents(context.pool, [missing]);
  return new Set(missing);
}

/** Marks permits as issued whose account exists at `finalized`: an earlier transaction landed after all. */
async function adopt({ context, chain }: IssueRun, there: readonly TakenPermit[]): Promise<void> {
  if (there.length === 0) return;
  const final = await chain.gateway.finalPermits(
    there.map(({ address }) => address),
    0,
  );
  const ids = there.filter((_, index) => final[index] !== undefined && !isUnreadable(final[index])).map(({ id }) => id);
  await markIssued(context.pool, [ids, context.now()]);
  await dropWaiting(context.pool, [ids]);
  const later = there.map(({ id }) => id).filter((id) => !ids.includes(id));
  await postponeWaiting(context.pool, [later, after(context.now(), FINAL_AFTER_SECONDS)]);
}
