import { purge } from '../../src/entities/retention.ts';
import { closeForgottenListings } from '../../src/inventory/close-listings.ts';
import { carryOutMoves } from '../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../src/inventory/end-sales.ts';
import { interruptDeadRuns } from '../../src/inventory/import/run-record.ts';
import { settleEndedEvents } from '../../src/inventory/settle-events.ts';
import { reencryptDue } from '../../src/keys/reencrypt.ts';
import { maintainKeys } from '../../src/keys/rotate-keys.ts';
import { endExpiredGrants } from '../../src/oauth/grant/end-expired-grants.ts';
import { expireNotifications } from '../../src/partners/notification/end-notifications.ts';
import { settleProposals } from '../../src/people/proposal/settle-proposals.ts';
import { sealAudit } from '../../src/record/audit/seal-audit.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { endGoLiveChecks } from '../../src/sandbox/go-live-check/finish-run.ts';
import { finishLeaving } from '../../src/sign-in/own-data/finish-leaving.ts';
import { settleDueClaims } from '../../src/tickets/claim/settle-due-claims.ts';

/** A background job. One process at a time runs it. */
export interface Job {
  name: string;
  cron: string;
  everyMinutes: number;
  /** Ends soon after `limit` is aborted; the next run continues with the rest. */
  run: (context: ServiceContext, limit: AbortSignal) => Promise<unknown>;
}

type Run = Job['run'];

const every = (everyMinutes: number, name: string, run: Run): Job => ({
  name,
  cron: everyMinutes === 1 ? '* * * * *' : `*/${everyMinutes} * * * *`,
  everyMinutes,
  run,
});

export const JOBS: readonly Job[] = [
  every(1, 'maintain-keys', maintainKeys),
  every(1, 'reencrypt', reencryptDue),
  every(1, 'seal-audit', sealAudit),
  every(1, 'settle-claims', (context) => settleDueClaims(context)),
  every(1, 'end-sales', endSales),
  every(1, 'carry-out-moves', carryOutMoves),
  every(1, 'settle-proposals', settleProposals),
  every(1, 'close-forgotten-listings', closeForgottenListings),
  every(5, 'end-expired-grants', endExpiredGrants),
  every(10, 'settle-ended-events', settleEndedEvents),
  every(10, 'finish-leaving', finishLeaving),
  every(10, 'end-go-live-checks', endGoLiveChecks),
  every(1, 'expire-notifications', expireNotifications),
  every(1, 'interrupt-dead-imports', interruptDeadRuns),
  { name: 'purge', cron: '17 * * * *', everyMinutes: 60, run: purge },
];
