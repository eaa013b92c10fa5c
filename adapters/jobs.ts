import { PgBoss } from 'pg-boss';
import { purgeCounts } from '../src/abuse/count-request.ts';
import { purgeActivity } from '../src/activity/purge-activity.ts';
import { sealAudit } from '../src/audit/seal-audit.ts';
import { purgeExpired } from '../src/authorization/purge-expired.ts';
import { settleDueClaims } from '../src/claim/settle-due-claims.ts';
import { endExpiredGrants } from '../src/grant/end-expired-grants.ts';
import { narrowEndedGrants } from '../src/grant/narrow-grants.ts';
import { closeForgottenListings } from '../src/inventory/close-listings.ts';
import { purgeIssues } from '../src/issuing/purge-issues.ts';
import { reencryptDue } from '../src/keys/reencrypt.ts';
import { maintainKeys } from '../src/keys/rotate-keys.ts';
import { createContext, type Runtime, type ServiceContext } from '../src/runtime.ts';
import { purgeSignIns } from '../src/staff/begin-sign-in.ts';

/** The background jobs, in a queue that all processes over one database share: one of them does each run. */
const JOBS: { name: string; cron: string; run: (context: ServiceContext) => Promise<unknown> }[] = [
  { name: 'maintain-keys', cron: '* * * * *', run: maintainKeys },
  { name: 'reencrypt', cron: '* * * * *', run: reencryptDue },
  { name: 'seal-audit', cron: '* * * * *', run: sealAllAudit },
  { name: 'settle-claims', cron: '* * * * *', run: settleDueClaims },
  { name: 'purge-issues', cron: '57 * * * *', run: purgeIssues },
  { name: 'close-forgotten-listings', cron: '* * * * *', run: closeForgottenListings },
  { name: 'narrow-ended-grants', cron: '*/10 * * * *', run: narrowEndedGrants },
  { name: 'end-expired-grants', cron: '*/5 * * * *', run: endExpiredGrants },
  { name: 'purge-expired', cron: '17 * * * *', run: purgeExpired },
  { name: 'purge-counts', cron: '47 * * * *', run: purgeCounts },
  { name: 'purge-activity', cron: '37 * * * *', run: purgeActivity },
  { name: 'purge-sign-ins', cron: '27 * * * *', run: purgeSignIns },
];

/** Jobs of earlier releases, whose schedules are still in the database. */
const RETIRED = ['provision-onchain'];

const CONNECTIONS = 2;
const POLL_SECONDS = 5;
const JOB_TIMEOUT_SECONDS = 120;
const KEEP_FINISHED_SECONDS = 3600;

export interface Jobs {
  /** Waits for running jobs. */
  stop(): Promise<void>;
}

/** Starts the workers of the queue. */
export async function startJobs(runtime: Runtime, databaseUrl: string): Promise<Jobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: CONNECTIONS, application_name: 'fan-api jobs' });
  boss.on('error', (err) => runtime.log.error({ err }, 'job queue'));
  await boss.start();
  for (const name of RETIRED) await boss.unschedule(name);
  for (const { name, cron, run } of JOBS) {
    await boss.createQueue(name, {
      policy: 'singleton',
      expireInSeconds: JOB_TIMEOUT_SECONDS,
      deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    });
    await boss.schedule(name, cron);
    await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
      await run(createContext(runtime, null)).catch((err: unknown) => {
        runtime.log.error({ err, job: name }, 'job failed');
        // the queue stores the thrown error, with every property that a library attached to it
        throw new Error(`${name} failed; the log says why`);
      });
    });
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) };
}

async function sealAllAudit(context: ServiceContext): Promise<void> {
  while ((await sealAudit(context)) > 0);
}
