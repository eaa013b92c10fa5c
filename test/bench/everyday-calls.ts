import type { Config } from '../../src/config/config.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { authorize, callLogin } from '../support/partner.ts';
import type { TestApp } from '../support/start-app.ts';

/** Calls per second, at a steady rate: a call that waits holds up no other one. */
const TICKETS_PER_SECOND = 20;
const SIGN_INS_PER_SECOND = 2;

/** Milliseconds of each call. */
export interface Latencies {
  tickets: number[];
  /** Every step of a sign-in by itself. */
  signIn: number[];
}

/** What fans and apps do all day. It goes on until `stop`. @throws Error of `stop`, where a call failed */
export function callEveryday(config: Config, kit: StarterKit, accessToken: string) {
  // the helpers of tests need only these two
  const app = { config, kit } as TestApp;
  let latencies: Latencies = { tickets: [], signIn: [] };
  let fault: unknown;
  const underWay = new Set<Promise<void>>();
  const launch = (work: () => Promise<void>) => {
    const call: Promise<void> = work()
      .catch((error: unknown) => {
        fault ??= error;
      })
      .finally(() => underWay.delete(call));
    underWay.add(call);
  };
  const listTickets = async () => {
    const { tickets } = latencies;
    const startedAt = performance.now();
    const answer = await fetch(`${config.apiUrl}/tickets`, { headers: { authorization: `Bearer ${accessToken}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`GET /tickets answered ${answer.status}`);
    tickets.push(performance.now() - startedAt);
  };
  let next = 0;
  const signIn = async () => {
    const { signIn: into } = latencies;
    const user = kit.test_users[next++ % kit.test_users.length];
    const timed = async <Result>(call: Promise<Result>) => {
      const startedAt = performance.now();
      const result = await call;
      into.push(performance.now() - startedAt);
      return result;
    };
    const started = await timed(authorize(app));
    for (const [step, input] of [
      ['phone.sendCode', { phone: user?.phone }],
      ['phone.verifyCode', { code: user?.code }],
      ['consent.options', undefined],
    ] as const) {
      const { error } = await timed(callLogin(app, started, step, input));
      if (error) throw new Error(`${step}: ${error.message}`);
    }
  };
  const timers = [
    setInterval(() => launch(listTickets), 1000 / TICKETS_PER_SECOND),
    setInterval(() => launch(signIn), 1000 / SIGN_INS_PER_SECOND),
  ];
  return {
    /** The latencies since the last call of this. */
    take(): Latencies {
      const taken = latencies;
      latencies = { tickets: [], signIn: [] };
      return taken;
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
      if (fault !== undefined) throw fault;
    },
  };
}
