import { openBrowser } from './test/support/browser.ts';
const origin = process.argv[2]!; const out = process.argv[3]!;
const browser = await openBrowser();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
context.setDefaultTimeout(12000);
const page = await context.newPage();
page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') console.log('  console', m.type(), m.text().slice(0, 300)); });
page.on('pageerror', (e) => console.log('  pageerror', e.message.slice(0, 300)));
let n = 0; const t0 = Date.now();
async function look(name: string, selector = 'main') {
  n++;
  const text = await page.locator(selector).first().innerText().catch(() => page.locator('body').innerText());
  const words = text.split(/\s+/).filter(Boolean).length;
  await page.screenshot({ path: `${out}/${String(n).padStart(2, '0')}-${name}.png` });
  console.log(`${n} ${name} ${page.url().replace(origin, '').slice(0, 60)} words=${words} t=${((Date.now() - t0) / 1000).toFixed(1)}`);
}
const steps: [string, () => Promise<unknown>][] = [];
async function step(name: string, work: () => Promise<unknown>, selector?: string) {
  try { await work(); await page.waitForTimeout(700); await look(name, selector); }
  catch (e) { console.log('STUCK', name, String(e).slice(0, 400)); await look(`stuck-${name}`); await browser.close(); process.exit(1); }
}
await step('root', () => page.goto(`${origin}/`), 'body');
await step('docs', () => page.getByRole('link', { name: /documentation/i }).first().click(), 'article');
await step('quick-start', () => page.locator('article').getByRole('link', { name: 'Quick start' }).first().click(), 'article');
await step('playground', () => page.locator('article').getByRole('link', { name: 'playground' }).first().click());
await step('fill-in', () => page.getByRole('region', { name: 'Test users' }).getByRole('checkbox').first().click());
const code = (await page.getByRole('region', { name: 'Test users' }).locator('tbody tr').first().locator('td').first().innerText()).match(/\d{6}/)![0];
console.log('  code', code);
await step('sign-in', () => page.getByRole('button', { name: 'Sign in as the fan' }).click(), 'body');
await step('continue', () => page.getByRole('button', { name: 'Continue' }).click(), 'body');
await step('code', async () => { await page.getByLabel('6-digit code').fill(code); await page.getByRole('button', { name: 'Confirm' }).click({ timeout: 3000 }).catch(() => console.log('  (Confirm was not needed)')); await page.waitForTimeout(1000); }, 'body');
const notNow = page.getByRole('button', { name: 'Not now' });
if (await notNow.count()) { console.log('  passkey offered'); await step('not-now', () => notNow.click(), 'body'); }
await step('allow', async () => { await page.getByRole('button', { name: 'Allow' }).click(); await page.getByRole('heading', { name: 'Fan API playground' }).waitFor(); });
await step('tickets', () => page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Read the tickets' }).click());
await step('list', () => page.getByRole('button', { name: /^List it/ }).first().click());
await step('list-it', async () => { await page.getByRole('button', { name: 'List it', exact: true }).click(); await page.getByText('It is listed.').waitFor({ timeout: 40000 }); });
await step('to-sell', () => page.getByRole('link', { name: 'Sell it to another fan' }).click());
const buyerCode = (await page.locator('strong.code').innerText()).match(/\d{6}/)![0];
await step('sign-in-buyer', () => page.getByRole('button', { name: 'Sign in the buyer' }).click(), 'body');
await step('buyer-continue', () => page.getByRole('button', { name: 'Continue' }).click(), 'body');
await step('buyer-code', async () => { await page.getByLabel('6-digit code').fill(buyerCode); await page.getByRole('button', { name: 'Confirm' }).click({ timeout: 3000 }).catch(() => console.log('  (Confirm was not needed)')); await page.waitForTimeout(1000); }, 'body');
await step('buyer-allow', async () => { await page.getByRole('button', { name: 'Allow' }).click(); await page.getByRole('heading', { name: 'Fan API playground' }).waitFor(); });
await step('sell-claim', async () => { await page.getByRole('button', { name: 'Sell it and claim it' }).click(); await page.getByRole('region', { name: 'Sold' }).waitFor({ timeout: 40000 }); });
await step('log', () => page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Request log' }).click());
await step('errors', () => page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Force errors' }).click());
await step('reference', async () => { await page.goto(`${origin}/docs/reference`); await page.waitForTimeout(6000); }, 'body');
await browser.close();
