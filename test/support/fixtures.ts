/**
 * What many test files set up, so that they need not: a stage for a whole file, and fixtures that are made when a test names them and
 * end with it. `chain-stage.ts` has the stage with a cluster (`app`, `chain`, `market`, `seller`, `buyer`; `heldTicket`, `listedTicket`).
 *
 *     const { app, staffCall, memberCall, it } = await appStage();
 *     it('a rule', async ({ tokens, clientId }) => { ... });
 *
 *     const { app, openFan, it } = await pageStage();
 *     it('a rule', async ({ page, staffPage, memberPage }) => { ... });
 *
 * @module
 */
import type { BrowserContextOptions } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import type { MemberRole } from '../../src/entities/partner-member.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { makeClient } from './make-client.ts';
import { newMember, runAsMember } from './member-call.ts';
import { signIn } from './partner.ts';
import { newStaff, runAs } from './staff-call.ts';
import type { TestApp, TestAppOptions } from './start-app.ts';
import { testApp } from './test-app.ts';
import { kitPartner } from './workspace.ts';

type Variables = Record<string, unknown>;

/** The service for all tests of a file, with one person a role; the clock is put right after each test. */
export async function appStage(options?: TestAppOptions) {
  const app = await testApp(options);
  return { app, ...(await stageOf(app)) };
}

/** As `appStage`, of a service that is there. */
export async function stageOf(app: TestApp) {
  afterEach(() => app.resetClock());
  const partner = await kitPartner(app);
  const staffOf = byRole((role: StaffRole) => newStaff(app, role));
  const memberOf = byRole((role: MemberRole) => newMember(app, partner.id, 'Mia Member', role));

  /** What the first field of a GraphQL document gives to somebody who signed in just now. */
  async function staffCall<T>(as: StaffRole | SignedInStaff, document: string, variables: Variables = {}): Promise<T> {
    const person = typeof as === 'string' ? { ...(await staffOf(as)), authenticatedAt: app.runtime.now() } : as;
    return first(await runAs<Record<string, T>>(app, person, document, variables));
  }

  /** As `staffCall`, for somebody of the starter kit's partner in its workspace. */
  async function memberCall<T>(as: MemberRole, document: string, variables: Variables = {}): Promise<T> {
    return first(await runAsMember<Record<string, T>>(app, await memberOf(as), document, variables));
  }

  const it = test
    /** Tokens of the starter kit's first test user. */
    .extend('tokens', () => signIn(app))
    /** A sandbox client of its own. */
    .extend('clientId', () => makeClient(app));
  return { partner, staffOf, memberOf, staffCall, memberCall, it };
}

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'en-US',
  timezoneId: 'UTC',
};

/** As `appStage`, with a browser. */
export async function pageStage(options?: TestAppOptions) {
  const [{ testBrowser }, { openConsole }, { openWorkspace }] = await Promise.all([
    import('./test-browser.ts'),
    import('./console.ts'),
    import('./workspace.ts'),
  ]);
  const [stage, browser] = await Promise.all([appStage(options), testBrowser()]);
  const { app, partner } = stage;

  /** A fan's phone, with nothing kept from before. */
  async function openFan(around: BrowserContextOptions = {}) {
    const context = await browser.newContext({ ...PHONE, ...around });
    // below the limit of a test, so that what was waited for is named
    context.setDefaultTimeout(8_000);
    return context;
  }

  const it = stage.it
    /** The page of a fan; a fault that it reports by itself fails the test. */
    .extend('page', async ({ task: _ }, { onCleanup }) => {
      const context = await openFan();
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) faults.push(message.text());
      });
      onCleanup(async () => {
        await context.close();
        expect(faults).toEqual([]);
      });
      return page;
    })
    /** The console of an administrator. */
    .extend('staffPage', async ({ task: _ }, { onCleanup }) => {
      const page = await openConsole(browser, app, 'admin');
      onCleanup(() => page.context().close());
      return page;
    })
    /** The workspace of the starter kit's partner. */
    .extend('memberPage', async ({ task: _ }, { onCleanup }) => {
      const page = await openWorkspace(browser, app, partner);
      onCleanup(() => page.context().close());
      return page;
    });
  return { ...stage, browser, openFan, it };
}

/** One of each role, made on demand. */
function byRole<Role, Person>(make: (role: Role) => Promise<Person>): (role: Role) => Promise<Person> {
  const made = new Map<Role, Promise<Person>>();
  return (role) => {
    const person = made.get(role) ?? make(role);
    made.set(role, person);
    return person;
  };
}

function first<T>(data: Record<string, T>): T {
  return Object.values(data)[0] as T;
}
