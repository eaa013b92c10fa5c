import { pino } from 'pino';
import { register } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, moreTickets, rows, type TestTicket } from '../../../support/chain-app.ts';
import { bendEach, bendOne, only } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';
import { reconcileStage } from './reconcile-stage.ts';

/** A permit that can't be read or stored never holds up another. */
const stage = await reconcileStage();
const { app, listings: listingsOf, list } = stage;
let other: TestTicket;
let logged: { level: number; permits?: string[]; reason?: string }[];
beforeEach(async () => {
  await rows(app, 'delete from unread_permit');
  [other] = (await moreTickets(app, stage.seller)) as [TestTicket];
  await stage.run();
  app.proxy.reset();
  logged = [];
});

const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });

let ranAt: Date;
/** No time passes in a run, however busy the machine is. */
function run(by: ChainApp = app): Promise<number> {
  const at = by.runtime.now();
  ranAt = at;
  return reconcile({ ...by.context(), log, now: () => at }, 'sandbox');
}

interface Unread {
  permit: string;
  reason: string;
  tries: number;
  pause: number;
}

/** `pause`: seconds from the last run to the next try. */
async function unread(): Promise<Unread[]> {
  return rows(
    app,
    `select p.tix_permit_id as permit, u.reason, u.tries, round(extract(epoch from u.retry_at - $1))::int as pause
     from unread_permit u join permit p on p.id = u.permit_id order by p.id`,
    [ranAt],
  );
}

async function failures(): Promise<number> {
  const metric = await register.getSingleMetric('reconcile_unread_permits_total')?.get();
  return metric?.values.find(({ labels }) => labels.mode === 'sandbox')?.value ?? Number.NaN;
}

/** The node gives this permit’s account malformed. */
function malform({ permit }: TestTicket, as: object = { data: ['AAAA', 'base64'] }): void {
  app.proxy.setRule(bendOne('getMultipleAccounts', permit, as));
}

/** The node says that there is no account. */
const missAll = () =>
  app.proxy.setRule(
    only(
      bendEach(() => null),
      'getMultipleAccounts',
    ),
  );

/** Lists both tickets on the chain, the `stage.ticket` second. */
async function listBoth(): Promise<TestTicket> {
  await list(stage.seller, 1n, { of: other });
  await list();
  return stage.ticket;
}

/** As `listBoth`; a run has found the account of the `stage.ticket` malformed. */
async function putAside(): Promise<TestTicket> {
  const bad = await listBoth();
  malform(bad);
  await run();
  return bad;
}

/** The database refuses the listings of this permit, or of all. */
async function refuseListings(permit: string | undefined, work: () => Promise<void>): Promise<void> {
  const raise = permit === undefined ? `using errcode = '57014', message = 'too slow'` : `'not this one'`;
  await rows(
    app,
    `create function refuse_listing() returns trigger language plpgsql as $$ begin
       if exists (select from permit where id = new.permit_id and tix_permit_id like '${permit ?? '%'}') then
         raise exception ${raise}; end if; return new; end $$`,
  );
  await rows(app, 'create trigger refuse before insert on listing for each row execute function refuse_listing()');
  try {
    await work();
  } finally {
    await rows(app, 'drop function refuse_listing cascade');
  }
}

describe('a permit whose account can not be decoded', () => {
  it('does not hold up the others, is counted, logged and put aside; the cursor moves on', async () => {
    const bad = await listBoth();
    malform(bad);
    const before = await failures();
    expect(await run()).toBe(1);
    expect(await listingsOf(other)).toMatchObject([{ outcome: null }]);
    expect(await listingsOf(bad)).toEqual([]);
    expect(await unread()).toEqual([
      { permit: bad.permit, reason: expect.stringContaining('no Permit'), tries: 1, pause: 5 },
    ]);
    expect(logged).toMatchObject([{ level: 50, permits: [bad.permit], reason: expect.stringContaining('no Permit') }]);
    expect(await failures()).toBe(before + 1);
    app.proxy.calls.length = 0;
    expect(await run()).toBe(0);
    expect(app.proxy.calls.map(({ method }) => method)).toEqual(['getSignaturesForAddress']);
  });

  it('is tried again after a pause that doubles up to 15 minutes, and logged only once', async () => {
    await putAside();
    const pauses: number[] = [];
    for (let next = 2; next <= 11; next++) {
      const [waiting] = await unread();
      pauses.push(waiting?.pause ?? 0);
      const reads = app.proxy.count('getMultipleAccounts');
      await run();
      expect(app.proxy.count('getMultipleAccounts')).toBe(reads);
      app.advance((waiting?.pause ?? 0) + 1);
      await run();
      expect(app.proxy.count('getMultipleAccounts')).toBe(reads + 1);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
    expect(logged).toHaveLength(1);
    await rows(app, 'update unread_permit set tries = 100000, retry_at = $1', [app.runtime.now()]);
    await run();
    expect(await unread()).toMatchObject([{ tries: 100_001, pause: 900 }]);
  });

  it('is taken in by the first try that can read it, at the slot of its transaction or later', async () => {
    const bad = await putAside();
    const [waiting] = await rows<{ slot: string }>(app, 'select slot from unread_permit');
    app.proxy.reset();
    app.advance(6);
    expect(await run()).toBe(1);
    expect(await listingsOf(bad)).toMatchObject([{ outcome: null }]);
    expect(await unread()).toEqual([]);
    const [, config] = app.proxy.calls.find(({ method }) => method === 'getMultipleAccounts')?.params ?? [];
    expect(config).toMatchObject({ minContextSlot: Number(waiting?.slot) });
    expect(Number(waiting?.slot)).toBeGreaterThan(0);
  });

  it('is read at once where a new transaction touches it; a failure there counts once', async () => {
    const bad = await putAside();
    const before = await failures();
    app.proxy.reset();
    await stage.cancel();
    malform(bad);
    await Promise.all([run(), run()]);
    expect(await unread()).toMatchObject([{ tries: 2, pause: 10 }]);
    expect(await failures()).toBe(before + 1);
    app.proxy.reset();
    await list();
    expect(await run()).toBe(1);
    expect(await unread()).toEqual([]);
  });

  it('is forgotten where it was never on the chain', async () => {
    const bad = await putAside();
    await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [bad.permit]);
    app.advance(6);
    missAll();
    await run();
    expect(await unread()).toEqual([]);
  });

  it('is no longer put aside once a newer state was taken in', async () => {
    const bad = await putAside();
    app.proxy.reset();
    await rows(app, 'update permit set chain_slot = 9007199254740991 where tix_permit_id = $1', [bad.permit]);
    app.advance(6);
    expect(await run()).toBe(0);
    expect(await unread()).toEqual([]);
    await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [bad.permit]);
  });

  it('two processes at once: it is put aside, counted and logged once', async () => {
    const another = await testChainApp({ beside: app });
    const bad = await listBoth();
    malform(bad);
    const before = await failures();
    const runAll = () => Promise.all([run(), run(another), run()]);
    const later = (seconds: number) => {
      for (const each of [app, another]) each.advance(seconds);
    };
    await runAll();
    expect(await unread()).toMatchObject([{ tries: 1, pause: 5 }]);
    expect(await listingsOf(other)).toHaveLength(1);
    later(6);
    await runAll();
    expect(await unread()).toMatchObject([{ tries: 2, pause: 10 }]);
    expect(await failures()).toBe(before + 2);
    expect(logged).toHaveLength(1);
    later(11);
    app.proxy.reset();
    expect((await runAll()).reduce((sum, each) => sum + each)).toBe(1);
    expect(await listingsOf(bad)).toHaveLength(1);
  });

  it('its permit of another mode is left to that mode', async () => {
    const bad = await putAside();
    app.advance(6);
    await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [bad.tixEventId]);
    app.proxy.calls.length = 0;
    await run();
    expect(app.proxy.count('getMultipleAccounts')).toBe(0);
    await rows(app, `update event set mode = 'sandbox' where tix_event_id = $1`, [bad.tixEventId]);
  });

  it('a reason that quotes the node is stored whatever it is', async () => {
    const bad = await listBoth();
    malform(bad, { owner: `a\0b\ud800${'\u{1f600}'.repeat(400)}` });
    expect(await run()).toBe(1);
    expect(await unread()).toMatchObject([{ reason: expect.stringContaining('a b\ufffd') }]);
  });
});

describe('a permit that was on the chain and that the node does not have', () => {
  it('is put aside, and taken in once the node has it again; the log has one line for all', async () => {
    const bad = await listBoth();
    missAll();
    expect(await run()).toBe(0);
    const reason = 'The cluster does not have it any more';
    const both = [bad.permit, other.permit];
    expect(await unread()).toEqual(both.map((permit) => ({ permit, reason, tries: 1, pause: 5 })));
    expect(logged).toMatchObject([{ level: 50, reason, permits: both }]);
    app.advance(6);
    await run();
    expect(await unread()).toMatchObject([{ tries: 2 }, { tries: 2 }]);
    expect(logged).toHaveLength(1);
    app.proxy.reset();
    app.advance(11);
    expect(await run()).toBe(2);
    expect(await unread()).toEqual([]);
    expect(await listingsOf(bad)).toMatchObject([{ outcome: null }]);
  });

  it('one that was never there is not put aside', async () => {
    await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [other.permit]);
    await listBoth();
    missAll();
    await run();
    expect((await unread()).map(({ permit }) => permit)).toEqual([stage.ticket.permit]);
  });
});

describe('a permit that the database does not store', () => {
  it('does not hold up the others of its batch; it is put aside with the reason, and stored by a later try', async () => {
    const bad = await listBoth();
    await refuseListings(bad.permit, async () => {
      expect(await run()).toBe(1);
      expect(await listingsOf(other)).toMatchObject([{ outcome: null }]);
      expect(await unread()).toMatchObject([
        { permit: bad.permit, reason: expect.stringContaining('not this one'), tries: 1, pause: 5 },
      ]);
      expect(logged).toMatchObject([{ level: 50, permits: [bad.permit] }]);
      app.proxy.calls.length = 0;
      expect(await run()).toBe(0);
      expect(app.proxy.calls.map(({ method }) => method)).toEqual(['getSignaturesForAddress']);
      app.advance(6);
      await run();
      expect(await unread()).toMatchObject([{ tries: 2, pause: 10 }]);
    });
    app.advance(11);
    expect(await run()).toBe(1);
    expect(await listingsOf(bad)).toMatchObject([{ outcome: null }]);
    expect(await unread()).toEqual([]);
  });

  it('touched again, it is taken in apart from the others: their batch is read once', async () => {
    const bad = await listBoth();
    await refuseListings(bad.permit, async () => {
      await run();
      await stage.cancel();
      await stage.cancel(other);
      await list();
      app.proxy.calls.length = 0;
      await run();
      const pages = app.proxy.calls.filter(({ method }) => method === 'getMultipleAccounts');
      // what changed is read again once it is final
      expect(pages.map(({ params }) => params[0]).slice(0, 2)).toEqual([[other.permit], [bad.permit]]);
      expect(await listingsOf(other)).toMatchObject([{ outcome: 'cancelled' }]);
    });
  });

  it('a fault that is not of the row ends the run and is tried again from the same place', async () => {
    const bad = await listBoth();
    await refuseListings(undefined, async () => {
      await expect(run()).rejects.toThrow('too slow');
      expect(await unread()).toEqual([]);
    });
    expect(await run()).toBe(2);
    expect(await listingsOf(bad)).toMatchObject([{ outcome: null }]);
  });

  it('an address that is none does not hold up the others', async () => {
    await rows(app, 'update permit set tix_permit_id = $2 where tix_permit_id = $1', [stage.ticket.permit, 'none']);
    await rows(app, `update chain_cluster set last_signature = null where mode = 'sandbox'`);
    await list(stage.seller, 1n, { of: other });
    await run();
    expect(await listingsOf(other)).toMatchObject([{ outcome: null }]);
    expect(await unread()).toMatchObject([{ permit: 'none', reason: expect.stringContaining('base58') }]);
    await rows(app, `delete from unread_permit`);
    await rows(app, `update permit set tix_permit_id = $1 where tix_permit_id = 'none'`, [randomAddress()]);
  });
});
