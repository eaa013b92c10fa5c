import { describe, expect, it } from 'vitest';
import { liftKillSwitch, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { signInProduction } from '../../../src/inventory/stage.ts';
import { anotherUser, rows, type User } from '../../../support/chain-app.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { callFan, signIn, type Tokens } from '../../../support/partner.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { claim, fundedMarketplace, listedTickets, transfer } from '../../../support/ticket-transactions.ts';

const app = await testChainApp();
const newcomer = await anotherUser(app);

async function tokensOf(user: User, choice: { scope?: string; actions?: string[] } = {}): Promise<Tokens> {
  const { phone, code } = user;
  return signIn(app, { scope: 'openid offline_access fan:claims:write', phone, code, ...choice });
}

function readWallet(token: string | undefined) {
  return callFan(app, '/wallet', token);
}

async function expectRefusal(token: string | undefined, status: number, code: string) {
  const answer = await readWallet(token);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-error-code')).toBe(code);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toEqual({ message: expect.stringMatching(/.{10}/) });
  return answer;
}

describe('GET /wallet', () => {
  it('names the wallet of a fan who holds no ticket, and a claim that uses it goes to its end', async () => {
    const { access_token: token } = await newcomer.tokens();
    expect((await callFan(app, '/tickets', token)).body).toMatchObject({ tickets: [] });
    const { status, body } = await readWallet(token);
    expect({ status, body }).toEqual({ status: 200, body: { wallet_address: newcomer.wallet_address } });

    const [seller] = app.users;
    const market = await fundedMarketplace(app);
    const [ticket] = await listedTickets(app, market, seller, 1);
    if (ticket === undefined) throw new Error('a ticket was listed');
    const claimed = await claim(app, newcomer, [await transfer(app, market, ticket, String(body.wallet_address))]);
    expect(claimed.status).toBe(200);
    expect(claimed.body).toMatchObject({ tickets: [{ destination_wallet: body.wallet_address }] });
    const held = (await callFan(app, '/tickets', token)).body.tickets as { id: string }[];
    expect(held.map(({ id }) => id)).toEqual([ticket.id]);
  });

  it('is one statement, and makes nothing: the same address each time', async () => {
    const { access_token: token } = await newcomer.tokens();
    const before = await rows(app, 'select address from wallet order by address');
    const { result, statements } = await countStatements(() => readWallet(token));
    expect(statements).toHaveLength(1);
    expect((await readWallet(token)).body).toEqual(result.body);
    expect(await rows(app, 'select address from wallet order by address')).toEqual(before);
  });

  it('is in the request log under a name of its own, and counts against the limit of the grant', async () => {
    const { access_token: token } = await newcomer.tokens();
    const { headers } = await readWallet(token);
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(Number(headers.get('ratelimit-limit')));
    await app.runtime.activity.flush();
    const logged = await rows(app, 'select operation, outcome from request_log where id = $1', [
      headers.get('x-request-id'),
    ]);
    expect(logged).toEqual([{ operation: 'wallet.read', outcome: 'ok' }]);
  });
});

describe('who may read the wallet', () => {
  it('401 while staff have stopped the fan or the client', async () => {
    const { access_token: token } = await tokensOf(newcomer);
    for (const target of [
      { kind: 'fan', fanId: newcomer.id },
      { kind: 'client', clientId: app.kit.client_id },
    ] as const) {
      await setKillSwitch(app.context(), target, 'a test', 'staff:ann');
      await expectRefusal(token, 401, 'grant_revoked');
      await liftKillSwitch(app.context(), target, 'a test', 'staff:ann');
      expect((await readWallet(token)).status).toBe(200);
    }
  });

  it('in production it names the wallet of the production fan, and needs no cluster', async () => {
    const phone = '+14155550132';
    const tokens = await signInProduction(app, phone, { scope: 'openid fan:claims:write' });
    expect(tokens.mode).toBe('production');
    const [wallet] = await rows<{ address: string }>(
      app,
      `select w.address from wallet w join fan f on f.id = w.fan_id where f.mode = 'production' and f.phone = $1`,
      [phone],
    );
    expect((await readWallet(tokens.access_token)).body).toEqual({ wallet_address: wallet?.address });
  });
});
