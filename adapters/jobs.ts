import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { purgeCounts } from '../src/abuse/count-request.ts';
import { purgeActivity } from '../src/activity/purge-activity.ts';
import { sealAudit } from '../src/audit/seal-audit.ts';
import { purgeExpired } from '../src/authorization/purge-expired.ts';
import { settleDueClaims } from '../src/claim/settle-due-claims.ts';
import { carryOutMoves } from '../src/custody-move/carry-out-moves.ts';
import { connectionOptions } from '../src/database/database-url.ts';
import { endExpiredGrants } from '../src/grant/end-expired-grants.ts';
import { narrowEndedGrants } from '../src/grant/narrow-grants.ts';
import { purgeFailures } from '../src/import/failures.ts';
import { interruptDeadRuns } from '../src/import/run-record.ts';
import { closeForgottenListings } from '../src/inventory/close-listings.ts';
import { purgeIssues } from '../src/issuing/purge-issues.ts';
import { reencryptDue } from '../src/keys/reencrypt.ts';
import { maintainKeys } from '../src/keys/rotate-keys.ts';
import { settleProposals } from '../src/proposal/settle-proposals.ts';
import { createContext, type Runtime, type ServiceContext } from '../src/runtime.ts';
import { purgeSignIns } from '../src/staff/begin-sign-in.ts';

/** The background jobs, in a queue that all processes over one database share: one of them does each run. */
const JOBS: { name: string; cron: string; run: (context: ServiceContext) => Promise<unknown> }[] = [
  { name: 'maintain-keys', cron: '* * * * *', run: maintainKeys },
  { name: 'reencrypt', cron: '* * * * *', run: reencryptDue },
  { name: 'seal-audit', cron: '* * * * *', run: sealAllAudit },
  { name: 'settle-claims', cron: '* * * * *', run: settleDueClaims },
  { name: 'purge-issues', cron: '57 * * * *', run: purgeIssues },
  { name: 'carry-out-moves', cron: '* * * * *', run: carryOutMoves },
  { name: 'settle-proposals', cron: '* * * * *', run: settleProposals },
  { name: 'close-forgotten-listings', cron: '* * * * *', run: closeForgottenListings },
  { name: 'narrow-ended-grants', cron: '*/10 * * * *', run: narrowEndedGrants },
  { name: 'end-expired-grants', cron: '*/5 * * * *', run: endExpiredGrants },
  { name: 'interrupt-dead-imports', cron: '* * * * *', run: interruptDeadRuns },
  { name: 'purge-import-failures', cron: '7 * * * *', run: purgeFailures },
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
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface Jobs {
  /** Waits for running jobs. */
  stop(): Promise<void>;
}

/**
 * Starts the workers, and tries again where that fails: without them nothing is sealed, purged or rotated. Returns at once, since the
 * queue's own tables take a moment and no request needs them.
 */
export function keepStartingJobs(runtime: Runtime, databaseUrl: string): Jobs {
  const stopped = new AbortController();
  const start = async (): Promise<Jobs | undefined> => {
    for (let pause = FIRST_PAUSE_MS; !stopped.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await startJobs(runtime, databaseUrl);
      } catch (err) {
        runtime.log.error({ err, nextTryMs: pause }, 'background jobs did not start');
      }
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    return undefined;
  };
  const started = start();
  return {
    async stop() {
      stopped.abort();
      await (await started)?.stop();
    },
  };
}

/** Makes the queue's own tables, or brings them up to date, as a start of the workers would. */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ ...connectionOptions(databaseUrl), max: 1, supervise: false, schedule: false });
  // it shows in `start`
  boss.on('error', () => undefined);
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Starts the workers of the queue. @throws Error where the database cannot be asked; nothing is left running then */
export async function startJobs(runtime: Runtime, databaseUrl: string): Promise<Jobs> {
  const boss = new PgBoss({ ...connectionOptions(databaseUrl), max: CONNECTIONS });
  boss.on('error', (err) => runtime.log.error({ err }, 'job queue'));
  try {
    await startWorkers(boss, runtime);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) };
}

async function startWorkers(boss: PgBoss, runtime: Runtime): Promise<void> {
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
}

async function sealAllAudit(context: ServiceContext): Promise<void> {
  while ((await sealAudit(context)) > 0);
}
