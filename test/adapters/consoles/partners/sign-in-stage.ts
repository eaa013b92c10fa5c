import { randomInt } from 'node:crypto';
import { inviteMember } from '../../../../src/people/workspace/invite-member.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { type MailServer, textOf } from '../../../support/mail-server.ts';
import type { TestApp } from '../../../support/start-app.ts';
import { pressButton, type StaffBrowser } from '../admin/staff-browser.ts';

/** An e-mail address of nobody. */
export function newEmail(): string {
  return `${crypto.randomUUID()}@partner.example`;
}

/** Invites somebody. @returns the member's id, and the link in the e-mail */
export async function invite(app: TestApp, mails: MailServer, partnerId: Id<'ptn'>, email: string) {
  const { id } = await inviteMember(app.context(), { partnerId, name: 'Mia Member', email }, 'system');
  return { id, link: linkIn(mails, email) };
}

/** The link in the newest e-mail to an address. */
export function linkIn({ mails }: MailServer, email: string): string {
  const mail = mails.findLast(({ to }) => to.includes(email));
  const link = mail && /https?:\/\/\S+/.exec(textOf(mail))?.[0];
  if (!link) throw new Error(`no e-mail with a link to ${email}`);
  return link;
}

/** Opens a link and presses its button. */
export async function press(browser: StaffBrowser, link: string): Promise<Response> {
  return pressButton(browser, link, await browser.open(link));
}

/** Somebody's network; its limit is not in the way of other tests. */
function randomAddress(): string {
  return [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
}

/** Asks for a sign-in link, as the page does. The app has one trusted proxy. */
export function askForLink(
  browser: StaffBrowser,
  app: TestApp,
  email: string,
  address = randomAddress(),
): Promise<Response> {
  const { partnersUrl } = app.config;
  const headers = { origin: new URL(partnersUrl).origin, accept: 'application/json', 'x-forwarded-for': address };
  return browser.open(`${partnersUrl}/auth/email`, { method: 'POST', body: new URLSearchParams({ email }), headers });
}

/** Who is signed in with a browser. @returns the answer of the endpoint */
export async function viewerOf(browser: StaffBrowser, app: TestApp) {
  const { partnersUrl } = app.config;
  const headers = { 'content-type': 'application/json', 'x-workspace': '1' };
  const body = JSON.stringify({ query: '{ viewer { id name email partner { id } } }' });
  const answer = await browser.open(`${partnersUrl}/graphql`, { method: 'POST', headers, body });
  return { status: answer.status, ...((await answer.json()) as { data?: { viewer: { id: string } } }) };
}
