import { closeForgottenListings } from '../../src/inventory/close-listings.ts';
import { carryOutMoves } from '../../src/inventory/custody-move/carry-out-moves.ts';
import { purgeFailures } from '../../src/inventory/import/failures.ts';
import { interruptDeadRuns } from '../../src/inventory/import/run-record.ts';
import { purgeIssues } from '../../src/inventory/issuing/purge-issues.ts';
import { settleEndedEvents } from '../../src/inventory/settle-ended-events.ts';
import { reencryptDue } from '../../src/keys/reencrypt.ts';
import { maintainKeys } from '../../src/keys/rotate-keys.ts';
import { endExpiredGrants } from '../../src/oauth/grant/end-expired-grants.ts';
import { expireNotifications, purgeNotifications } from '../../src/partners/notification/end-notifications.ts';
import { settleProposals } from '../../src/people/proposal/settle-proposals.ts';
import { purgeSignIns } from '../../src/people/staff/begin-sign-in.ts';
import { purgeMemberSignIns } from '../../src/people/workspace/begin-provider-sign-in.ts';
import { purgeActivity } from '../../src/record/activity/purge-activity.ts';
import { sealAudit } from '../../src/record/audit/seal-audit.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { endGoLiveChecks } from '../../src/sandbox/go-live-check/finish-run.ts';
import { purgeCounts } from '../../src/sign-in/abuse/count-request.ts';
import { purgeExpired } from '../../src/sign-in/authorization/purge-expired.ts';
import { settleDueClaims } from '../../src/tickets/claim/settle-due-claims.ts';

/** A background job. One process at a time runs it. */
export interface Job {
  name: string;
  cron: string;
  everyMinutes: number;
  /** Ends soon after `limit` is aborted; the next run goes on with what is left. */
  run: (context: ServiceContext, limit: AbortSignal) => Promise<unknown>;
}

type Run = Job['run'];

const every = (everyMinutes: number, name: string, run: Run): Job => ({
  name,
  cron: everyMinutes === 1 ? '* * * * *' : `*/${everyMinutes} * * * *`,
  everyMinutes,
  run,
});
const hourly = (minute: number, name: string, run: Run): Job => ({
  name,
  cron: `${minute} * * * *`,
  everyMinutes: 60,
  run,
});

export const JOBS: readonly Job[] = [
  every(1, 'maintain-keys', maintainKeys),
  every(1, 'reencrypt', reencryptDue),
  every(1, 'seal-audit', sealAudit),
  every(1, 'settle-claims', (context) => settleDueClaims(context)),
  every(1, 'carry-out-moves', carryOutMoves),
  every(1, 'settle-proposals', settleProposals),
  every(1, 'close-forgotten-listings', closeForgottenListings),
  every(5, 'end-expired-grants', endExpiredGrants),
  every(10, 'settle-ended-events', settleEndedEvents),
  every(10, 'end-go-live-checks', endGoLiveChecks),
  every(1, 'expire-notifications', expireNotifications),
  every(1, 'interrupt-dead-imports', interruptDeadRuns),
  hourly(7, 'purge-import-failures', purgeFailures),
  hourly(17, 'purge-expired', purgeExpired),
  hourly(27, 'purge-sign-ins', purgeSignIns),
  hourly(33, 'purge-member-sign-ins', purgeMemberSignIns),
  hourly(37, 'purge-activity', purgeActivity),
  hourly(47, 'purge-counts', purgeCounts),
  hourly(57, 'purge-issues', purgeIssues),
  hourly(53, 'purge-notifications', purgeNotifications),
];
