import { z } from 'zod';
import { openEndpoint } from './endpoint.ts';
import { dropAfter, forgetEarlier, type Ledger, type LedgerOptions, openLedger } from './ledger.ts';
import { accountMethods } from './rpc/account-methods.ts';
import { answerText } from './rpc/answer.ts';
import { clusterMethods } from './rpc/cluster-methods.ts';
import { historyMethods } from './rpc/history-methods.ts';
import { method, type RpcMethod, Slots } from './rpc/method.ts';
import { transactionMethods } from './rpc/transaction-methods.ts';
import { createSubscriptions } from './subscriptions.ts';

/** How often the file is synced, in milliseconds. */
const SYNC_INTERVAL = 2000;

export interface NetworkSetup extends LedgerOptions {
  port: number;
  host: string;
  /** For tests: whether they may drop blocks and let slots pass. */
  forkable: boolean;
}

export interface ServedNetwork {
  /** The port in use. */
  port: number;
  stop(): Promise<void>;
}

/**
 * Runs a network where it is called. Requests are answered one after another, so every answer shows one consistent state. The VM's calls
 * are synchronous and block the event loop.
 * @throws LocalnetError when the port is taken, another process has the folder, or it has accounts of another version
 */
export async function serveNetwork(setup: NetworkSetup, onError: (message: string) => void): Promise<ServedNetwork> {
  const report = (error: unknown) => onError(`localnet: ${error instanceof Error ? error.stack : String(error)}`);
  const ledger = openLedger(setup);
  const { store } = ledger;
  const subscriptions = createSubscriptions(ledger);
  const methods: Record<string, RpcMethod> = {
    ...clusterMethods,
    ...accountMethods,
    ...historyMethods,
    ...transactionMethods(subscriptions.onLanded),
    ...(setup.forkable ? forkMethods(onSlot) : {}),
  };

  /** Where the store has failed, the VM is ahead of it and the thread must end. */
  function answer(text: string, known: Record<string, RpcMethod>): string | undefined {
    const answered = answerText(text, known, ledger, report);
    const failure = store.failure();
    if (failure) {
      setImmediate(() => {
        throw failure;
      });
    }
    return answered;
  }

  // A timer at the start of each slot, so that what the slot confirms is reported immediately.
  let ticking = setTimeout(tick, ledger.clock.untilNext());
  const syncing = setInterval(() => guarded(store.sync), SYNC_INTERVAL);

  function tick(): void {
    ticking = setTimeout(tick, ledger.clock.untilNext());
    guarded(onSlot);
  }

  function onSlot(): void {
    forgetEarlier(ledger);
    subscriptions.update();
  }

  function guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      report(error);
    }
  }

  function close(): void {
    clearTimeout(ticking);
    clearInterval(syncing);
    store.close();
  }

  try {
    const endpoint = await openEndpoint(
      {
        http: (text) => answer(text, methods),
        socket: (socket, text) => answer(text, subscriptions.methodsFor(socket)),
        socketClosed: subscriptions.close,
      },
      setup.port,
      setup.host,
    );
    const stop = async () => {
      endpoint.close();
      close();
    };
    return { port: endpoint.port, stop };
  } catch (error) {
    close();
    throw error;
  }
}

/** Methods that only this network has, for tests. @param onSlot called when slots have passed or blocks were dropped */
function forkMethods(onSlot: () => void): Record<string, RpcMethod> {
  const thenOnSlot = (run: (ledger: Ledger, count: number) => number) =>
    method(Slots, (ledger, [count]) => {
      const slot = run(ledger, count);
      onSlot();
      return slot;
    });
  return {
    /** Answers the slot after which all was dropped. */
    dropAfter: thenOnSlot(dropAfter),
    /** From now on `dropAfter` can go back to this moment. Answers the slot for it. */
    keep: method(z.tuple([]), (ledger) => {
      const slot = ledger.clock.slot();
      ledger.keptFrom = slot;
      // what happens from now on is in later slots
      ledger.clock.skip(1);
      onSlot();
      return slot;
    }),
    /** Answers the slot after this many have passed. */
    passSlots: thenOnSlot(({ clock }, count) => {
      clock.skip(count);
      return clock.slot();
    }),
  };
}
