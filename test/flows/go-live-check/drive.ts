/** A partner's test program: it takes an app through every check, by the calls that the documentation names. */
import { type Addresses, type Faults, startPartnerApp } from './partner-app.ts';

interface CheckLine {
  name: string;
  verdict: string;
  seen: string;
}

/** Goes through some checks, all by default, and ends the run. @returns the sheet */
export async function goThrough(
  addresses: Addresses,
  clientId: string,
  faults: Faults,
): Promise<Record<string, string>> {
  const post = async (path: string) => {
    const answer = await fetch(`${addresses.issuer}${path}`, { method: 'POST' });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { checks: CheckLine[] };
  };
  const { checks } = (await (await fetch(`${addresses.issuer}/checks`)).json()) as { checks: CheckLine[] };
  const app = await startPartnerApp(addresses, clientId, faults);
  for (const { name } of checks) {
    await post(`/checks/${name}/start`);
    if (name === 'rotated-keys') await app.restart();
    // an app that refuses to go on shows an error page
    await takeThrough(name, app).catch(() => undefined);
    await post('/checks/done');
  }
  const { checks: sheet } = await post('/finish');
  return Object.fromEntries(
    sheet.map((line) => [line.name, line.verdict === 'passed' ? 'passed' : `${line.verdict}: ${line.seen}`]),
  );
}

async function takeThrough(name: string, app: Awaited<ReturnType<typeof startPartnerApp>>): Promise<void> {
  await app.signIn();
  if (name === 'refresh-race') await Promise.all([app.call('/tickets'), app.call('/tickets')]);
  else if (name === 'tampered-listing') for (const _ of ['first', 'second']) await app.list();
  else if (name === 'foreign-marketplace') await app.list();
  else await app.call('/tickets');
}
