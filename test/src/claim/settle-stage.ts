import pino from 'pino';
import { register } from 'prom-client';
import { afterEach, beforeEach, expect } from 'vitest';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { claimsStage, from } from '../../adapters/fan/claims-stage.ts';
import { rows, type TestTicket } from '../../support/chain-app.ts';
import { claim, signatureOf } from '../../support/ticket-transactions.ts';

interface LogLine {
  level: number;
  msg: string;
  signature?: string;
  reason?: string;
  step?: string;
}

/**
 * The set-up of the tests of claims that can't be settled: before each test the claim of the stage (`bytes`), which goes well, and
 * another one (`bad`), to which a test makes trouble. Registers the hooks of the file that calls it.
 * @param count of tickets for all tests of the file
 */
export function settleStage(count: number) {
  const stage = claimsStage(count);
  const { stateOf, holder, expectClaimed } = stage;
  let badTicket: TestTicket;
  let bad: Buffer;
  let logged: LogLine[];
  beforeEach(async () => {
    [badTicket, bad] = await stage.next();
    stage.app.proxy.reset();
    logged = [];
  });
  afterEach(async () => {
    stage.app.resetClock();
    await rows(stage.app, 'drop trigger if exists refuse on permit');
    await rows(
      stage.app,
      `update claim set state = 'failed', next_attempt_at = null where state in ('pending', 'submitted')`,
    );
  });

  /** A context of the job whose log the test reads. */
  function context() {
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    return { ...stage.app.context(), log };
  }

  /** The job, some time later. */
  async function settle(secondsLater = 0): Promise<void> {
    stage.app.advance(secondsLater);
    await settleDueClaims(context(), 0);
  }

  /** Two claims that are written and not submitted. */
  async function twoWritten(): Promise<void> {
    const { app, buyer, bytes } = stage;
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes, bad]);
    app.proxy.reset();
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(await stateOf(bad)).toMatchObject({ state: 'submitted' });
  }

  async function trouble() {
    const [row] = await rows<{ set_aside: string | null; attempts: number; wait: number }>(
      stage.app,
      `select set_aside, attempts, extract(epoch from next_attempt_at - $2)::float8 as wait from claim where signature = $1`,
      [signatureOf(bad), stage.app.runtime.now()],
    );
    return row;
  }

  async function counted(step: string): Promise<number> {
    const metric = await register.getSingleMetric('claims_set_aside_total')?.get();
    return metric?.values.find(({ labels }) => labels.step === step && labels.mode === 'sandbox')?.value ?? 0;
  }

  /** The other claim has come to its end; this one is open, told in the console's columns, and counted. */
  async function expectSetAside(step: string, reason: RegExp, before: number): Promise<void> {
    await expectClaimed();
    expect((await stateOf(bad))?.state).toMatch(/^(pending|submitted)$/);
    expect(await trouble()).toMatchObject({ set_aside: expect.stringMatching(reason), attempts: 1 });
    expect(await counted(step)).toBe(before + 1);
  }

  async function expectSettledAtLast(): Promise<void> {
    stage.app.proxy.reset();
    await settle(60);
    expect(await stateOf(bad)).toEqual({ state: 'confirmed', failure: null });
    expect(await holder(badTicket)).toBe(stage.buyer.wallet_address);
    expect(await trouble()).toMatchObject({ set_aside: null });
  }

  /** The troubled permit can't be changed in the database. */
  async function refuseToStore(): Promise<void> {
    await rows(
      stage.app,
      `create or replace function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'this permit can not be stored'; end $$`,
    );
    await rows(
      stage.app,
      `create trigger refuse before update on permit for each row
       when (old.tix_permit_id = '${badTicket.permit}') execute function refuse()`,
    );
  }

  return {
    stage,
    get badTicket() {
      return badTicket;
    },
    get bad() {
      return bad;
    },
    get logged() {
      return logged;
    },
    context,
    settle,
    twoWritten,
    trouble,
    counted,
    expectSetAside,
    expectSettledAtLast,
    refuseToStore,
  };
}
