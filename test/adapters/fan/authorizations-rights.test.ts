import { beforeAll, describe, expect, it } from 'vitest';
import { Partner } from '../../../src/entities/partner.ts';
import { revokeGrant } from '../../../src/grant/revoke-grant.ts';
import { turnActionOff } from '../../../src/grant/switch-action.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { liftKillSwitch, setKillSwitch } from '../../../src/kill-switch/kill-switch.ts';
import { type ChainApp, moreTickets, oneTicket, rows } from '../../support/chain-app.ts';
import { postForm, signIn } from '../../support/partner.ts';
import type { Fate } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  land,
  listedTickets,
  listing,
  type Marketplace,
  postFan,
  putOnSale,
  randomAddress,
  transfer,
  unseenBlockhash,
} from '../../support/ticket-transactions.ts';
import { whileWaiting } from '../../support/while-waiting.ts';
import { authorizationsStage } from './authorizations-stage.ts';

/** Who may have a listing signed, and for which tickets. */
const stage = authorizationsStage();
const { expectRefusal, ownerOf } = stage;
let app: ChainApp;
let market: Marketplace;
beforeAll(() => {
  ({ app, market } = stage);
});

describe('spec §7, D-080: who may have a listing signed', () => {
  const request = async () => ({
    type: 'list',
    transactions: [(await listing(app, market, await oneTicket(app, app.users[0]), ownerOf())).toString('hex')],
  });

  it('401 without a token', async () => {
    const body = await request();
    await expectRefusal(
      () => postFan(app, '/authorizations', undefined, body),
      401,
      'access_token_missing',
      /access token/,
    );
  });

  it('403 where the scope was never asked for, before anything is said of the body', async () => {
    const { access_token: token } = await signIn(app, { scope: 'openid fan:tickets:read fan:claims:write' });
    const body = await request();
    for (const sent of [body, {}]) {
      await expectRefusal(
        () => postFan(app, '/authorizations', token, sent),
        403,
        'scope_missing',
        /fan:listings:write/,
      );
    }
  });

  it('401 where the fan did not grant the action', async () => {
    const { access_token: token } = await signIn(app, {
      scope: 'openid fan:tickets:read fan:listings:write',
      actions: ['fan:tickets:read'],
    });
    const body = await request();
    await expectRefusal(
      () => postFan(app, '/authorizations', token, body),
      401,
      'action_not_granted',
      /fan:listings:write/,
    );
  });

  it('401 once the grant is revoked, told before scope and body', async () => {
    const tokens = await signIn(app, { scope: 'openid offline_access fan:listings:write' });
    const body = await request();
    await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: tokens.refresh_token });
    await expectRefusal(
      () => postFan(app, '/authorizations', tokens.access_token, body),
      401,
      'grant_revoked',
      /revoked/,
    );
    await expectRefusal(
      () => postFan(app, '/authorizations', tokens.access_token, {}),
      401,
      'grant_revoked',
      /revoked/,
    );
  });

  it('401 where the revocation comes between the check and the signing', async () => {
    const tokens = await signIn(app, { scope: 'openid offline_access fan:listings:write' });
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf(), { blockhash: await unseenBlockhash(app) });
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'isBlockhashValid') {
        await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: tokens.refresh_token });
      }
      return 'pass';
    });
    await expectRefusal(
      () => postFan(app, '/authorizations', tokens.access_token, body),
      401,
      'grant_revoked',
      /revoked/,
    );
  });
});

describe('chain §3.6: 401, turned off in the middle', () => {
  it('401 where the action is turned off between the check and the signing', async () => {
    const tokens = await signIn(app, { scope: 'openid fan:listings:write' });
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf(), { blockhash: await unseenBlockhash(app) });
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'isBlockhashValid') {
        const change = { grantIds: [tokens.grant_id], action: 'fan:listings:write' } as const;
        await turnActionOff(app.context(), knownId('usr', app.users[0].id), change);
      }
      return 'pass';
    });
    await expectRefusal(
      () =>
        postFan(app, '/authorizations', tokens.access_token, { type: 'list', transactions: [bytes.toString('hex')] }),
      401,
      'action_not_granted',
      /fan:listings:write/,
    );
  });

  it('401 where the access ends while the request waits for the ticket, 503 where co-signing is stopped meanwhile', async () => {
    const tokens = await signIn(app, { scope: 'openid offline_access fan:listings:write' });
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf());
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    const call = () => postFan(app, '/authorizations', tokens.access_token, body);
    const stop = { kind: 'co_signing' } as const;
    const reason = 'a test';
    try {
      await expectRefusal(
        () => whileWaiting(app, ticket, call, () => setKillSwitch(app.context(), stop, reason, 'staff:ann')),
        503,
        'unavailable',
        /stopped/,
      );
    } finally {
      await liftKillSwitch(app.context(), stop, reason, 'staff:ann');
    }
    const end = () =>
      revokeGrant(app.context(), { grantId: tokens.grant_id, reason: 'revoked_by_fan', actor: 'fan:test' });
    await expectRefusal(() => whileWaiting(app, ticket, call, end), 401, 'grant_revoked', /revoked/);
  });
});

describe('chain §3.6: 404, the ticket or listing was not found', () => {
  async function refused(type: 'list' | 'cancel', bytes: Buffer, message: RegExp, token?: string) {
    const access = token ?? (await app.users[0].tokens()).access_token;
    const body = { type, transactions: [bytes.toString('hex')] };
    await expectRefusal(() => postFan(app, '/authorizations', access, body), 404, 'not_found', message);
  }
  const GONE = /^transactions\[0\]: the ticket was not found\.$/;

  it('a permit of another fan', async () => {
    const ticket = await oneTicket(app, app.users[1]);
    await refused('list', await listing(app, market, ticket, ownerOf()), GONE);
  });

  it('a permit that nobody knows', async () => {
    await refused('list', await listing(app, market, { permit: randomAddress() }, ownerOf()), GONE);
  });

  it('a permit of another mode', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [ticket.tixEventId]);
    await refused('list', await listing(app, market, ticket, ownerOf()), GONE);
    await rows(app, `update event set mode = 'sandbox' where tix_event_id = $1`, [ticket.tixEventId]);
  });

  it('a permit of another partner', async () => {
    const { em, now } = app.context();
    const partner = em.create(Partner, { name: 'Another partner', createdAt: now() });
    await em.flush();
    const ticket = await oneTicket(app, app.users[0], { partner });
    await refused('list', await listing(app, market, ticket, ownerOf()), GONE);
  });

  it('a permit outside the selected tickets of the grant, while one inside is signed', async () => {
    const [inside, outside] = await moreTickets(app, app.users[0], { count: 2 });
    if (!inside || !outside) throw new Error('no tickets');
    const choice = { scope: 'openid fan:listings:write', mode: 'selected' as const, ticketIds: [inside.id] };
    const { access_token: token } = await signIn(app, choice);
    await refused('list', await listing(app, market, outside, ownerOf()), GONE, token);
    const good = (await listing(app, market, inside, ownerOf())).toString('hex');
    const answer = await postFan(app, '/authorizations', token, { type: 'list', transactions: [good] });
    expect(answer.status).toBe(200);
  });

  it('a revoked permit', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [ticket.permit]);
    await refused('list', await listing(app, market, ticket, ownerOf()), GONE);
  });

  it('a permit of an event that is over', async () => {
    const ticket = await oneTicket(app, app.users[0], { endsAt: new Date(Date.now() + 600_000) });
    const bytes = await listing(app, market, ticket, ownerOf());
    app.advance(601);
    await refused('list', bytes, GONE);
    app.resetClock();
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
  });

  it('a permit that is not on the chain yet', async () => {
    const ticket = await oneTicket(app, app.users[0], { issue: false });
    await refused('list', await listing(app, market, ticket, ownerOf()), GONE);
  });

  it('a permit whose owner on the chain is already another', async () => {
    const [ticket] = await listedTickets(app, market, app.users[0], 1);
    if (!ticket) throw new Error('no ticket');
    await land(app, await transfer(app, market, ticket, randomAddress()));
    await refused('list', await listing(app, market, ticket, ownerOf()), GONE);
    await refused('cancel', await cancellation(app, market, ticket, ownerOf()), GONE);
  });

  it('a ticket that is listed already, and the cancellation of one that is not', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    await refused('cancel', await cancellation(app, market, ticket, ownerOf()), /the ticket has no listing/);
    await putOnSale(app, market, ticket, app.users[0]);
    await refused('list', await listing(app, market, ticket, ownerOf(), { price: 5n }), /listed already/);
  });
});
