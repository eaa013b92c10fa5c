import pino from 'pino';
import { register } from 'prom-client';
import { afterEach, beforeEach, expect } from 'vitest';
import { settleDueClaims } from '../../../../src/tickets/claim/settle-due-claims.ts';
import { claimsStage } from '../../../adapters/partner-api/fan/claims-stage.ts';
import { rows, type TestTicket } from '../../../support/chain-app.ts';
import { signatureOf, transfer } from '../../../support/ticket-transactions.ts';

/** For tests of claims that can't be settled: beside the claim of `bytes`, which goes well, that of `bad`, to which a test makes trouble. */
export async function settleStage() {
  const stage = await claimsStage();
  const { app, market, buyer, stateOf, expectClaimed, claimUnsent } = stage;
  const logged: { level: number; signature?: string; reason?: string; step?: string }[] = [];
  beforeEach(() => {
    logged.length = 0;
  });
  afterEach(async () => {
    await rows(app, 'drop trigger if exists refuse on permit');
  });

  const it = stage.it
    .extend('badTicket', stage.nextListed)
    .extend('bad', ({ badTicket }) => transfer(app, market, badTicket, buyer.wallet_address));

  /** A context of the job whose log the test reads. */
  function context() {
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    return { ...app.context(), log };
  }

  /** The job, some time later. */
  async function settle(secondsLater = 0): Promise<void> {
    app.advance(secondsLater);
    await settleDueClaims(context(), 0);
  }

  /** Two claims that are written and not submitted. */
  async function twoWritten(...both: [Buffer, Buffer]): Promise<void> {
    await claimUnsent(...both);
    for (const each of both) expect(await stateOf(each)).toMatchObject({ state: 'submitted' });
  }

  /** What the console shows of a claim that waits. */
  async function troubleOf(bad: Buffer) {
    const [row] = await rows<{ set_aside: string | null; attempts: number; wait: number }>(
      app,
      `select set_aside, attempts, extract(epoch from next_attempt_at - $2)::float8 as wait from claim where signature = $1`,
      [signatureOf(bad), app.runtime.now()],
    );
    return row;
  }

  async function counted(step: string): Promise<number> {
    const metric = await register.getSingleMetric('claims_set_aside_total')?.get();
    return metric?.values.find(({ labels }) => labels.step === step && labels.mode === 'sandbox')?.value ?? 0;
  }

  /** Runs the job: one claim comes to its end; the other is open, told in the console's columns, and counted. */
  async function expectSetAside(
    [bytes, bad]: [Buffer, Buffer],
    step: string,
    reason: RegExp,
    run: () => Promise<void> = settle,
  ) {
    const before = await counted(step);
    await run();
    await expectClaimed(bytes);
    expect((await stateOf(bad))?.state).toMatch(/^(pending|submitted)$/);
    expect(await troubleOf(bad)).toMatchObject({ set_aside: expect.stringMatching(reason), attempts: 1 });
    expect(await counted(step)).toBe(before + 1);
  }

  async function expectSettledAtLast(bad: Buffer): Promise<void> {
    app.proxy.reset();
    await settle(60);
    await expectClaimed(bad);
    expect(await troubleOf(bad)).toMatchObject({ set_aside: null });
  }

  /** The troubled permit can't be changed in the database. */
  async function refuseToStore({ permit }: TestTicket): Promise<void> {
    await rows(
      app,
      `create or replace function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'this permit can not be stored'; end $$`,
    );
    await rows(
      app,
      `create trigger refuse before update on permit for each row
       when (old.tix_permit_id = '${permit}') execute function refuse()`,
    );
  }

  const settling = {
    context,
    settle,
    twoWritten,
    troubleOf,
    counted,
    expectSetAside,
    expectSettledAtLast,
    refuseToStore,
  };
  return { ...stage, ...settling, it, logged };
}
