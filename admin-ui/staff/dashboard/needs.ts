import { countryName } from '../parts/country-name.ts';
import type { HomeData } from './document.ts';

/** Something that somebody has to look at, and where to deal with it. */
export interface Need {
  title: string;
  /** The view where it is dealt with; undefined where that is outside of the console. */
  href?: string;
  text?: string;
  /** Since when, of the oldest. */
  since?: string | undefined;
  /** The section of the runbook's `incidents.md`. */
  runbook?: string;
  /** The first of what it is about. */
  named?: { name: string; href: string; aside?: string }[];
  /** The right that a decision requires; undefined for a fault. */
  decision?: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** As the alert PermitsWait. */
const PERMITS_WAIT = 15 * MINUTE;
/** Rows that failed earlier were mended elsewhere, or never will be. */
const FAILURES_COUNT = 7 * DAY;
const NEAR_LIMIT = 0.8;

/** What needs somebody. */
export function needsOf(data: HomeData, now: number): Need[] {
  const { stuck, unread, setAside, failingClients, failingJobs } = data;
  return [
    ...where(stuck.totalCount > 0, {
      title: `${count(stuck.totalCount, 'claim is', 'claims are')} not settled`,
      href: '/claims?state=STUCK',
      since: stuck.nodes[0]?.createdAt,
      runbook: 'ClaimsSetAside',
    }),
    ...where(unread.totalCount > 0, {
      title: `The onchain state of ${count(unread.totalCount, 'permit', 'permits')} can’t be read`,
      href: '/permits?chain=unread',
      runbook: 'PermitsUnreadable',
    }),
    ...where(setAside.totalCount > 0, {
      title: `The cluster refused ${count(setAside.totalCount, 'permit', 'permits')}`,
      href: '/permits?state=SET_ASIDE',
      runbook: 'PermitsSetAside',
    }),
    ...lateNeeds(data, now),
    ...failingClients.map(({ client, calls, failed }) => ({
      title: `Most calls of ${client.name} fail`,
      href: `/requests?client=${client.id}&outcome=failed&last=1h`,
      text: `${failed.toLocaleString('en')} of ${calls.toLocaleString('en')} in the last hour.`,
    })),
    ...codeNeeds(data),
    ...failingJobs.map((job) => ({
      title: `The background job ${job} keeps failing`,
      text: 'The log has the reason.',
      runbook: 'JobOverdue',
    })),
    ...importNeeds(data, now),
    ...decisions(data),
  ];
}

function lateNeeds({ waiting }: HomeData, now: number): Need[] {
  const oldest = waiting.nodes[0]?.waiting;
  if (!oldest || oldest.isSetAside) return [];
  return where(now - Date.parse(oldest.since) > PERMITS_WAIT, {
    title: `${count(waiting.totalCount, 'permit waits', 'permits wait')} to be issued`,
    href: '/permits?state=WAITING',
    since: oldest.since,
    runbook: 'PermitsWait',
  });
}

function codeNeeds({ verification: { breakers, sentToday, limits } }: HomeData): Need[] {
  return [
    ...breakers.map(({ country, openedAt }) => ({
      title: `Codes by SMS to ${country === null ? 'all countries' : (countryName(country) ?? country)} are stopped`,
      href: '/verification',
      text: 'Hardly any were entered.',
      since: openedAt,
    })),
    ...where(sentToday >= NEAR_LIMIT * limits.perDay, {
      title: 'Today’s SMS codes run out',
      href: '/verification',
      text: `${sentToday.toLocaleString('en')} of ${limits.perDay.toLocaleString('en')} are sent.`,
    }),
  ];
}

function importNeeds({ importRuns }: HomeData, now: number): Need[] {
  const bad = importRuns.nodes.filter(
    ({ state, failed, startedAt }) =>
      (state === 'INTERRUPTED' || (state === 'FINISHED' && failed > 0)) && now - Date.parse(startedAt) < FAILURES_COUNT,
  );
  const named = bad.slice(0, 3).map(({ id, fileName, state, failed, startedAt }) => ({
    name: fileName ?? `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    href: `/imports/${id}`,
    aside: state === 'INTERRUPTED' ? 'interrupted' : `${count(failed, 'row', 'rows')} failed`,
  }));
  const title = `${count(bad.length, 'import is', 'imports are')} incomplete`;
  return where(bad.length > 0, { title, href: '/imports', named });
}

function decisions({ reviewQueue, proposalQueue, approved }: HomeData): Need[] {
  return [
    ...where(reviewQueue.totalCount > 0, {
      title: `${count(reviewQueue.totalCount, 'client waits', 'clients wait')} for review`,
      href: '/reviews',
      since: reviewQueue.nodes[0]?.submittedAt,
      decision: 'clients:review',
      named: reviewQueue.nodes.map(({ client, mayApprove }) => ({
        name: client.name,
        href: `/clients/${client.id}?tab=review`,
        aside: mayApprove ? '' : 'you can’t approve it',
      })),
    }),
    ...where(proposalQueue.totalCount > 0, {
      title: `${count(proposalQueue.totalCount, 'proposal waits', 'proposals wait')} for a second person`,
      href: '/proposals',
      since: proposalQueue.nodes[0]?.proposedAt,
      decision: 'proposals:decide',
      named: proposalQueue.nodes.map(({ id, title, isYours }) => ({
        name: title,
        href: `/proposals/${id}`,
        aside: isYours ? 'yours' : '',
      })),
    }),
    ...where(approved.totalCount > 0, {
      title: `${count(approved.totalCount, 'client is', 'clients are')} approved and not enabled`,
      href: '/clients?status=APPROVED',
      since: approved.nodes[0]?.updatedAt,
      decision: 'clients:enable',
      named: approved.nodes.map(({ id, name }) => ({ name, href: `/clients/${id}` })),
    }),
  ];
}

function where(isSo: boolean, need: Need): Need[] {
  return isSo ? [need] : [];
}

function count(number: number, one: string, more: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : more}`;
}
