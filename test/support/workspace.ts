/** The people of a partner in its workspace, in a real browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Client } from '../../src/entities/client.ts';
import { inviteMember } from '../../src/people/workspace/invite-member.ts';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import { readMails } from '../../src/platform/mail/mail-inbox.ts';
import type { TestApp } from './start-app.ts';
import { ownBrowser } from './test-browser.ts';

/** The partner of the starter kit's client. */
export async function kitPartner(app: TestApp): Promise<{ id: Id<'ptn'>; name: string }> {
  const client = await app
    .context()
    .em.findOneOrFail(Client, { id: app.kit.client_id } as never, { populate: ['partner'] });
  return { id: client.partner.id, name: client.partner.name };
}

/** The link in the newest e-mail to an address. */
export async function linkTo(app: TestApp, email: string): Promise<string> {
  const mail = (await readMails(app.runtime.pool)).find(({ to }) => to === email);
  const link = /https?:\S+/.exec(mail?.text ?? '')?.[0];
  if (link === undefined) throw new Error(`no link was sent to ${email}`);
  return link;
}

/** Opens a link of an e-mail and presses its button. */
export async function openMemberLink(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * A new member of a partner, signed in by the invitation in a browser of their own.
 * @returns the workspace's first page
 */
export async function openWorkspace(
  browser: Browser,
  app: TestApp,
  partner: { id: string; name: string },
  options: BrowserContextOptions = {},
): Promise<Page> {
  const email = `dev-${crypto.randomUUID().slice(0, 8)}@partner.example`;
  await inviteMember(app.context(), { partnerId: partner.id, name: 'Dana Dev', email }, 'system');
  const page = await ownBrowser(browser, options);
  await openMemberLink(page, await linkTo(app, email));
  await page.getByRole('heading', { name: partner.name, level: 1 }).waitFor();
  return page;
}

/** Opens a view by its address below the workspace and waits for its title. */
export async function openWorkspaceView(page: Page, app: TestApp, path: string, title: string): Promise<void> {
  await page.goto(`${app.config.partnersUrl}${path}`);
  await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
}
