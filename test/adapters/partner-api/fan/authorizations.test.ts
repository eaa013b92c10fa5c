import { POLICY_VERSION } from '@fan-api/cosign-policy/policy-version';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, vi } from 'vitest';
import { z } from 'zod';
import { until } from '../../../../packages/localnet/test/test-network.ts';
import { createSigner } from '../../../../src/chain/wallet/signer.ts';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { turnActionOff } from '../../../../src/oauth/grant/switch-action.ts';
import { liftKillSwitch, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { tryUuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { moreTickets, oneTicket, rows, startChainApp, type TestTicket } from '../../../support/chain-app.ts';
import { measureWork } from '../../../support/measure-work.ts';
import { callFan, postForm, signIn, type Tokens } from '../../../support/partner.ts';
import { answerAt, bendEach, type Fate, only, passAfter, type RpcReply } from '../../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  land,
  listing,
  onChain,
  postFan,
  putOnSale,
  randomAddress,
  signedBytes,
  transfer,
  unseenBlockhash,
} from '../../../support/ticket-transactions.ts';
import { whileWaiting } from '../../../support/while-waiting.ts';
import { authorizationsStage } from './authorizations-stage.ts';

const { app, market, seller, buyer, owner, it, nextListed, expectRefusal, expectRefused } = await authorizationsStage();

const CreateAuthorizationResponse = z.strictObject({ transactions: z.array(z.string().regex(/^([0-9a-f]{2})+$/)) });

describe('spec §4.1: POST /authorizations signs', () => {
  it('a listing, which then lands: the fan’s wallet and the authority have signed, the partner’s signature is kept', async ({
    heldTicket,
  }) => {
    const bytes = await listing(app, market, heldTicket, owner, { price: 1_234n });
    const answer = await authorizeListing(app, seller, 'list', [bytes]);
    CreateAuthorizationResponse.parse(answer.body);
    const signed = signedBytes(answer);
    const { message, signatures } = VersionedTransaction.deserialize(signed);
    expect(message.serialize()).toEqual(VersionedTransaction.deserialize(bytes).message.serialize());
    expect(signatures.every((signature) => signature.some((byte) => byte !== 0))).toBe(true);
    expect(signed.subarray(1, 65)).toEqual(bytes.subarray(1, 65));
    await land(app, signed);
    const listed = { state: 'listed', marketplace: market.address, price: 1_234n };
    expect(await onChain(app, heldTicket)).toMatchObject(listed);
  });

  it('four at once, in the order of the request, in hex and base64 mixed; the answer is hex', async () => {
    const tickets = await moreTickets(app, seller, { count: 4 });
    const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner)));
    const texts = sent.map((bytes, index) => bytes.toString(index % 2 === 0 ? 'hex' : 'base64'));
    const answer = await authorizeListing(app, seller, 'list', texts);
    const { transactions } = CreateAuthorizationResponse.parse(answer.body);
    expect(transactions.map((hex) => hex.slice(2, 130))).toEqual(
      sent.map((bytes) => bytes.subarray(1, 65).toString('hex')),
    );
    for (const hex of transactions) await land(app, Buffer.from(hex, 'hex'));
    for (const ticket of tickets) expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
  });

  it('chain §3.9, §3.10: identical bytes again give the identical answer; recorded and audited once', async ({
    heldTicket,
  }) => {
    const bytes = await listing(app, market, heldTicket, owner, { price: 77n });
    const first = await authorizeListing(app, seller, 'list', [bytes]);
    const answers = await Promise.all(Array.from({ length: 3 }, () => authorizeListing(app, seller, 'list', [bytes])));
    expect(first.status).toBe(200);
    for (const answer of answers) expect(answer.body).toEqual(first.body);
    const { permit } = heldTicket;
    const recorded = await rows<{ message_hash: string }>(
      app,
      `select s.message_hash, s.action, s.sentence from listing_signature s
       join permit p on p.id = s.permit_id where p.tix_permit_id = $1`,
      [permit],
    );
    const terms = `List permit ${permit} for 77 lamports on marketplace ${market.address}, for its owner ${owner}`;
    const message_hash = expect.any(String);
    expect(recorded).toEqual([{ message_hash, action: 'list', sentence: `${terms}; ${market.address} pays the fee.` }]);
    const audited = await rows(
      app,
      `select actor, details, request_id from audit_entry where action = 'listing.co_signed' and details->>'permit' = $1`,
      [permit],
    );
    const { grant_id: grant } = await seller.tokens();
    expect(audited).toMatchObject([
      {
        actor: `fan:${seller.id}`,
        details: { grant, permit, message_hash: recorded[0]?.message_hash, policy: POLICY_VERSION },
        request_id: first.headers.get('x-request-id'),
      },
    ]);
  });

  it('many at once, with keys that nobody has opened yet and two connections to the database', async () => {
    const small = await startChainApp({ beside: app, env: { DATABASE_POOL: '2' } });
    try {
      const tickets = await moreTickets(app, seller, { count: 8 });
      const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner)));
      await seller.tokens();
      const answers = await Promise.all(sent.map((bytes) => authorizeListing(small, seller, 'list', [bytes])));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    } finally {
      await small.stop();
    }
  });
});

it.each([
  ['an expired blockhash', 'blockhash_expired', /^transactions\[2\]: the recent blockhash is one of the last/],
  ['an unreadable text', 'encoding', /^transactions\[2\]/],
] as const)('chain §3: all or none: %s as the third of four leaves none of them signed', async (_, code, message) => {
  const tickets = await moreTickets(app, seller, { count: 4 });
  const texts: (Buffer | string)[] = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner)));
  const expired = await listing(app, market, tickets[2] as TestTicket, owner, { blockhash: randomAddress() });
  texts[2] = code === 'encoding' ? 'not a transaction' : expired;
  await expectRefused(texts, 400, code, message);
});

/** A listing whose blockhash the service has not seen yet. */
async function good() {
  const ticket = await oneTicket(app, seller);
  return listing(app, market, ticket, owner, { blockhash: await unseenBlockhash(app) });
}

/** A node that lags says no to blockhashes; of the slot of the permits it is asked as `atSlot` says. */
function lagging(atSlot: Fate): void {
  app.proxy.setRule(({ method, params }) => {
    const options = params[1] as { minContextSlot?: number } | undefined;
    if (method !== 'isBlockhashValid') return 'pass';
    return options?.minContextSlot === undefined ? answerAt(1, false) : atSlot;
  });
}

describe('chain §3.7, §3.8: the cluster', () => {
  const AWAY = [503, 'unavailable', /Solana cluster can not be reached/] as const;

  it('a blockhash that a lagging node does not know is asked for again at the slot of the permits, and is signed for', async () => {
    const bytes = await good();
    lagging('pass');
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  });

  it('503 where no node has come to the slot of the permits', async () => {
    const bytes = await good();
    lagging({ reply: { error: { code: -32016, message: 'Minimum context slot has not been reached' } } });
    await expectRefused([bytes], ...AWAY);
  });

  it.each(['isBlockhashValid', 'getMultipleAccounts'])('503 where %s can not be asked', async (method) => {
    const bytes = await good();
    app.proxy.setRule(only('away', method));
    await expectRefused([bytes], ...AWAY);
    app.proxy.reset();
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  });

  it('503 where the node gives the permit malformed: that is its fault', async () => {
    const bytes = await good();
    const malformed = bendEach((account) => ({ ...account, data: ['AAAA', 'base64'] }));
    app.proxy.setRule(only(malformed, 'getMultipleAccounts'));
    await expectRefused([bytes], ...AWAY);
  });

  it('while the cluster hangs, many listings that wait for it leave the database to the tickets', async () => {
    const bytes = await good();
    const token = (await seller.tokens()).access_token;
    const answered = Promise.withResolvers<void>();
    app.proxy.setRule(passAfter('isBlockhashValid', () => answered.promise));
    const hanging = Array.from({ length: 12 }, () => authorizeListing(app, seller, 'list', [bytes]));
    await until(async () => app.proxy.count('isBlockhashValid') === 12);
    const began = performance.now();
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2_000);
    answered.resolve();
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual(hanging.map(() => 200));
  });
});

const COUNT = /^transactions must be a list of 1 to 4 strings$/;
const TYPE = /^type must be list or cancel$/;
it.each([
  [{ type: 'list', transactions: [] }, COUNT],
  [{ type: 'list', transactions: ['00', '00', '00', '00', '00'] }, COUNT],
  [{ type: 'list' }, COUNT],
  [{ type: 'list', transactions: '00' }, COUNT],
  [{ type: 'list', transactions: ['00', 7] }, /^transactions\[1\] must be a string$/],
  [{ transactions: ['00'] }, TYPE],
  [{ type: 'sell', transactions: ['00'] }, TYPE],
  [{ type: 'list', transactions: ['00'], price: 1 }, /^body must not have the field price$/],
  [[], /^body must be a JSON object$/],
])('spec §2: CreateAuthorizationRequest: 400 for %j, naming the field', async (body, message) => {
  const { access_token: token } = await seller.tokens();
  await expectRefusal(() => postFan(app, '/authorizations', token, body), 400, 'invalid_request', message);
});

const STOP = [{ kind: 'co_signing' }, 'a test', 'staff:ann'] as const;

describe('spec §7: what the fan ends between the check and the signing', () => {
  it.each([
    [
      'grant_revoked',
      (tokens: Tokens) =>
        postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: tokens.refresh_token }),
    ],
    [
      'action_not_granted',
      ({ grant_id }: Tokens) => {
        const change = { grantIds: [grant_id], action: 'fan:listings:write' } as const;
        return turnActionOff(app.context(), knownId('usr', seller.id), change);
      },
    ],
  ])('401 %s', async (code, end) => {
    const tokens = await signIn(app, { scope: 'openid offline_access fan:listings:write' });
    const bytes = await good();
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    app.proxy.setRule(passAfter('isBlockhashValid', () => end(tokens)));
    const attempt = () => postFan(app, '/authorizations', tokens.access_token, body);
    await expectRefusal(attempt, 401, code, /revoked|fan:listings:write/);
  });

  it('401 where the access ends while the request waits for the ticket, 503 where co-signing is stopped meanwhile', async ({
    heldTicket,
  }) => {
    const tokens = await signIn(app, { scope: 'openid offline_access fan:listings:write' });
    const bytes = await listing(app, market, heldTicket, owner);
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    const call = () => postFan(app, '/authorizations', tokens.access_token, body);
    const stopped = () => whileWaiting(app, heldTicket, call, () => setKillSwitch(app.context(), ...STOP));
    try {
      await expectRefusal(stopped, 503, 'unavailable', /stopped/);
    } finally {
      await liftKillSwitch(app.context(), ...STOP);
    }
    const end = () =>
      revokeGrant(app.context(), { grantId: tokens.grant_id, reason: 'revoked_by_fan', actor: 'fan:test' });
    await expectRefusal(() => whileWaiting(app, heldTicket, call, end), 401, 'grant_revoked', /revoked/);
  });
});

describe('chain §3.6: 404, the ticket or listing was not found', () => {
  const refused = (type: 'list' | 'cancel', bytes: Buffer, message: RegExp) =>
    expectRefusal(() => authorizeListing(app, seller, type, [bytes]), 404, 'not_found', message);
  const GONE = /^transactions\[0\]: the ticket was not found\.$/;

  it('a permit whose owner on the chain is already another', async () => {
    const ticket = await nextListed();
    await land(app, await transfer(app, market, ticket, randomAddress()));
    await refused('list', await listing(app, market, ticket, owner), GONE);
    await refused('cancel', await cancellation(app, market, ticket, owner), GONE);
  });

  it('a ticket that is listed already, and the cancellation of one that is not', async ({ heldTicket }) => {
    await refused('cancel', await cancellation(app, market, heldTicket, owner), /the ticket has no listing/);
    await putOnSale(app, market, heldTicket, seller);
    await refused('list', await listing(app, market, heldTicket, owner, { price: 5n }), /listed already/);
  });
});

it('while co-signing is stopped nothing is signed (503 with the reason); afterwards the same request is', async ({
  heldTicket,
}) => {
  const bytes = await listing(app, market, heldTicket, owner);
  await setKillSwitch(app.context(), ...STOP);
  const attempt = () => authorizeListing(app, seller, 'list', [bytes]);
  const faults = vi.spyOn(app.runtime.log, 'error');
  const { headers } = await expectRefusal(attempt, 503, 'unavailable', /stopped/);
  expect(faults, 'D-230: a stop is no fault').not.toHaveBeenCalled();
  expect(headers.get('retry-after')).toBeTruthy();
  await liftKillSwitch(app.context(), ...STOP);
  expect((await attempt()).status).toBe(200);
});

it('D-180: POST /authorizations while the key service is down is 503 with Retry-After, and works again afterwards', async ({
  heldTicket,
}) => {
  const { signer, custody, pool } = app.runtime;
  const transaction = await listing(app, market, heldTicket, owner);
  const down = new DomainError('unavailable', 'The key service can not be reached for the moment; try again.', {
    retryAfter: 5,
  });
  app.runtime.signer = createSigner({ pool, custody: { ...custody, open: () => Promise.reject(down) } });
  const refused = await authorizeListing(app, seller, 'list', [transaction]);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(refused.headers.get('x-error-code')).toBe('unavailable');
  app.runtime.signer = signer;
  expect((await authorizeListing(app, seller, 'list', [transaction])).status).toBe(200);
});

async function recordedOf({ permit }: TestTicket): Promise<{ signatures: number; audited: number }> {
  const [count] = await rows<{ signatures: number; audited: number }>(
    app,
    `select (select count(*)::int from listing_signature s join permit p on p.id = s.permit_id where p.tix_permit_id = $1) as signatures,
       (select count(*)::int from audit_entry where action = 'listing.co_signed' and subject = $1) as audited`,
    [permit],
  );
  return count ?? { signatures: -1, audited: -1 };
}

describe('requests that share a statement and a call of the cluster', () => {
  it('a refused one, a repeated one and one of another fan leave the others alone', async () => {
    const tickets = await moreTickets(app, seller, { count: 8 });
    const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner)));
    const foreign = await listing(app, market, tickets[0] as TestTicket, buyer.wallet_address);
    app.proxy.reset();
    const [answers, repeated, refused] = await Promise.all([
      Promise.all(sent.map((bytes) => authorizeListing(app, seller, 'list', [bytes]))),
      authorizeListing(app, seller, 'list', [sent[3] as Buffer]),
      authorizeListing(app, buyer, 'list', [foreign]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(tickets.map(() => 200));
    expect(repeated.body).toEqual(answers[3]?.body);
    expect(refused.status).toBe(404);
    for (const ticket of tickets) expect(await recordedOf(ticket)).toEqual({ signatures: 1, audited: 1 });
    // ten requests: one call each would be ten
    expect(app.proxy.count('getMultipleAccounts')).toBeLessThan(10);
  });

  it('a permit that somebody has locked holds up its own request only', async () => {
    const tickets = await moreTickets(app, seller, { count: 6 });
    const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, owner)));
    const client = await app.runtime.pool.connect();
    await client.query('begin');
    await client.query('select from permit where tix_permit_id = $1 for update', [tickets[2]?.permit]);
    let isHeld = true;
    const all = sent.map((bytes) => authorizeListing(app, seller, 'list', [bytes]));
    const held = all[2]?.then(() => expect(isHeld).toBe(false));
    try {
      const free = await Promise.all(all.filter((_, at) => at !== 2));
      expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    } finally {
      isHeld = false;
      await client.query('rollback');
      client.release();
    }
    await held;
    expect((await all[2])?.status).toBe(200);
    for (const ticket of tickets) expect(await recordedOf(ticket)).toEqual({ signatures: 1, audited: 1 });
  });
});

const SLOTS_BEHIND = 20;

type Account = { data: [string, string] } | null;

/** The first `count` readings come from a node that lags, and has another account of the permit, or none. */
function lag(count: number, permit: (account: Account) => Account, blockhashesToo = false): void {
  let seen = 0;
  const older = ({ result }: RpcReply): { context: { slot: number }; value: unknown } => {
    const { context, value } = result as { context: { slot: number }; value: unknown };
    return { context: { ...context, slot: Math.max(0, context.slot - SLOTS_BEHIND) }, value };
  };
  app.proxy.setRule(({ method }): Fate => {
    if (method === 'isBlockhashValid' && blockhashesToo) return (reply) => ({ result: older(reply) });
    if (method !== 'getMultipleAccounts') return 'pass';
    seen += 1;
    if (seen > count) return 'pass';
    return (reply) => {
      const { context, value } = older(reply);
      const [config, account = null, ...others] = value as Account[];
      return { result: { context, value: [config, permit(account), ...others] } };
    };
  });
}

const slotsAsked = () =>
  app.proxy.calls
    .filter(({ method }) => method === 'getMultipleAccounts')
    .map(({ params }) => (params[1] as { minContextSlot: number }).minContextSlot);

/** A ticket whose listing was cancelled, with the account as it was before. */
async function relisted() {
  const ticket = await oneTicket(app, seller);
  await putOnSale(app, market, ticket, seller);
  const listed = await app.connection.getAccountInfo(new PublicKey(ticket.permit), 'confirmed');
  if (!listed) throw new Error('no account');
  const bytes = await cancellation(app, market, ticket, owner);
  await land(app, signedBytes(await authorizeListing(app, seller, 'cancel', [bytes])));
  const data: [string, string] = [listed.data.toString('base64'), 'base64'];
  return { ticket, before: (account: Account): Account => account && { ...account, data } };
}

describe('D-185: of several nodes behind one URL, one lags', () => {
  it('and does not have the permit yet: the newest state decides, and the listing is signed', async ({
    heldTicket,
  }) => {
    const bytes = await listing(app, market, heldTicket, owner);
    app.proxy.reset();
    lag(1, () => null);
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
    const [first, second, ...more] = slotsAsked();
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(more).toEqual([]);
  });

  it('and still has a listing that was cancelled: the ticket is not refused as listed already', async () => {
    const { ticket, before } = await relisted();
    const bytes = await listing(app, market, ticket, owner);
    lag(1, before);
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  });

  it('also where every answer is old: what is stored of the permit is newer', async () => {
    const { ticket, before } = await relisted();
    await reconcile(app.context(), 'sandbox');
    const bytes = await listing(app, market, ticket, owner);
    lag(1, before, true);
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  });

  it('a ticket that is gone by the newest state, too, is 404, and nothing is signed', async ({ heldTicket }) => {
    const bytes = await listing(app, market, heldTicket, owner);
    lag(2, () => null);
    await expectRefused([bytes], 404, 'not_found', /the ticket was not found/);
  });
});

/** A season: few events, and a fan who has many of their tickets. */
const EVENTS = 20;
const TICKETS = 10_000;
const OF_THE_FAN = 900;

const SEASON = [
  `create function u(kind int, i int) returns uuid immutable parallel safe return
    (lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(kind), 12, '0'))::uuid`,
  `insert into event (id, mode, name, starts_at, ends_at, tix_event_id, created_at, registered_at)
   select u(4, i), 'sandbox', 'Event ' || i, now() + interval '30 days', now() + interval '31 days', lpad(i::text, 44, 'E'), now(), now() from generate_series(1, ${EVENTS}) i`,
  `insert into ticket_type (id, event_id, name) select u(5, i), u(4, i), 'Standing' from generate_series(1, ${EVENTS}) i`,
  `insert into fan (id, mode, phone, created_at)
   select u(3, i), 'sandbox', '+1555' || lpad(i::text, 9, '0'), now() from generate_series(1, ${TICKETS / 2}) i`,
  `insert into ticket (id, ticket_type_id, owner_id, tix_ticket_id, purchased_at, status)
   select u(6, i), u(5, 1 + i % ${EVENTS}), case when i <= ${OF_THE_FAN} then $1::uuid else u(3, 1 + i / 4) end,
     lpad(i::text, 44, 'T'), now(), 'valid'
   from generate_series(1, ${TICKETS}) i`,
  `insert into permit (id, ticket_id, partner_id, tix_permit_id, created_at, issued_at, chain_slot)
   select u(7, i), u(6, i), (select partner_id from client order by id limit 1), lpad(i::text, 44, 'P'), now(), now(), 1
   from generate_series(1, ${TICKETS}) i`,
];

it('D-337: a listing reads the rows of its permit, and not all tickets of its fan', async ({ heldTicket }) => {
  const { pool } = app.runtime;
  const fan = tryUuidOf('usr', seller.id);
  for (const statement of SEASON) await pool.query(statement, statement.includes('$1') ? [fan] : []);
  await pool.query('vacuum analyze');
  const sign = async () => {
    const bytes = await listing(app, market, heldTicket, owner);
    expect((await authorizeListing(app, seller, 'list', [bytes])).status).toBe(200);
  };
  await sign();
  const { read, rows } = await measureWork(app, sign);
  expect(rows, JSON.stringify(read)).toBeLessThan(OF_THE_FAN / 3);
});
