import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import { isUnreadable } from '../../chain/gateway/read-accounts.ts';
import { CLOSE, type PermitToClose } from '../../chain/instruction/permit-batches.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { after } from '../../platform/time.ts';
import { FINAL_AFTER_SECONDS } from './issue-permits.ts';
import type { IssueRun } from './issue-run.ts';
import type { Work } from './send-waiting.ts';
import {
  dropWaiting,
  markGone,
  postponeWaiting,
  REASON_LENGTH,
  setAside,
  type TakenPermit,
} from './waiting-permits.ts';

export const CLOSING: Work<PermitToClose> = {
  closes: true,
  kind: CLOSE,
  ready: closable,
  rentOf: async ({ chain }) => -(await chain.gateway.rentExemption(accountDataLength('Permit'))),
};

/** The permits that can be closed now. Those without an account count as closed; the others are set aside with the reason. */
async function closable(run: IssueRun, taken: readonly TakenPermit[]): Promise<PermitToClose[]> {
  const { context, chain } = run;
  const { pool, now } = context;
  await dropWaiting(pool, [taken.filter(({ wanted }) => !wanted).map(({ id }) => id)]);
  const wanted = taken.filter((permit) => permit.wanted);
  const readings = await chain.gateway.permits(wanted.map(({ address }) => address));
  const gone: TakenPermit[] = [];
  const aside: { id: string; reason: string }[] = [];
  const permits: PermitToClose[] = [];
  for (const [index, permit] of wanted.entries()) {
    const reading = readings[index];
    if (permit.kept !== null) aside.push({ id: permit.id, reason: permit.kept });
    else if (reading === undefined) gone.push(permit);
    else if (isUnreadable(reading)) aside.push({ id: permit.id, reason: storableText(reading.reason, REASON_LENGTH) });
    else if (reading.state === 'listed') aside.push({ id: permit.id, reason: 'it is on sale' });
    else permits.push(permit);
  }
  await adoptGone(run, gone);
  if (aside.length > 0) await setAside(pool, [JSON.stringify(aside), now()]);
  return permits;
}

/** Marks permits as closed that have no account at `finalized`: they were never issued, or an earlier transaction landed after all. */
async function adoptGone({ context, chain }: IssueRun, gone: readonly TakenPermit[]): Promise<void> {
  if (gone.length === 0) return;
  const final = await chain.gateway.finalPermits(
    gone.map(({ address }) => address),
    0,
  );
  const isGone = (_: TakenPermit, index: number) => final[index] === undefined;
  await markGone(context.pool, [gone.filter(isGone).map(({ id }) => id), context.now()]);
  const later = gone.filter((permit, index) => !isGone(permit, index)).map(({ id }) => id);
  await postponeWaiting(context.pool, [later, after(context.now(), FINAL_AFTER_SECONDS)]);
}
