import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { createGateway } from '../../../src/chain/gateway/gateway.ts';
import type { Stand } from '../stand/stand.ts';
import { createCaller } from './caller.ts';
import { type FanPlan, liveAsFan, signIn } from './fan.ts';
import { emptyLedger, type Ledger } from './ledger.ts';
import { runMarket, type Seller } from './market.ts';

/** The load of one row: fans, markets, and a probe of each process. */
export interface Traffic {
  ledger: Ledger;
  plan: FanPlan;
  /** Ends it: what is open is finished, or given up at last. */
  stop(): Promise<void>;
}

const FANS = 3;
const MARKETS = 3;
const FINISH_WITHIN_MS = 45_000;
const PROBE_MS = 500;

export async function startTraffic(stand: Stand, options: { abandonEvery?: number } = {}): Promise<Traffic> {
  const ledger = emptyLedger();
  const [stop, over] = [new AbortController(), new AbortController()];
  const ports = stand.services.map(({ port }) => port);
  const caller = createCaller(ledger, ports, stop.signal, over.signal);
  const users = stand.kit.test_users;
  const planOf = (index: number): FanPlan => {
    const user = users[index % users.length];
    if (!user) throw new Error('the starter kit has no test users');
    return {
      clientId: stand.kit.client_id,
      redirectUri: stand.kit.redirect_uris[0] ?? '',
      phone: user.phone,
      code: user.code,
    };
  };
  const sellers = await Promise.all(
    users.map(async ({ wallet_address: wallet }, index): Promise<Seller> => {
      const session = await signIn(caller, planOf(index));
      if (!session) throw new Error(`no sign-in before the fault: ${ledger.lostSignIns.join()}`);
      return { wallet, session };
    }),
  );
  const [first, second] = sellers;
  const config = await createGateway({ rpcUrl: stand.rpcUrl, programId: LOCAL_PROGRAM_ID }).config();
  if (!first || !second || !config) throw new Error('the starter kit is not complete');
  const permits = stand.permits.slice(0, MARKETS);
  const running = [
    ...Array.from({ length: FANS }, (_, index) => liveAsFan(caller, planOf(index)).catch(() => undefined)),
    ...permits.map((permit) =>
      runMarket(caller, {
        rpcUrl: stand.rpcUrl,
        programId: LOCAL_PROGRAM_ID,
        authority: config.authority,
        permit,
        fans: [first, second],
        ...options,
      }),
    ),
    ...ports.map(async (port) => {
      while (!stop.signal.aborted) {
        await Promise.all([
          caller.send('readyz', '/readyz', {}, port),
          caller.send('healthz', '/healthz', {}, port),
          sleep(PROBE_MS),
        ]);
      }
    }),
  ];
  return {
    ledger,
    plan: planOf(0),
    async stop() {
      stop.abort();
      const timer = setTimeout(() => over.abort(), FINISH_WITHIN_MS);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}
