import type { MessagePort } from 'node:worker_threads';
import { forkMethods } from './fork.ts';
import { slotOf } from './ledger.ts';
import { keepLedger, openLedger, saveLedger } from './open-ledger.ts';
import { accountMethods } from './rpc/account-methods.ts';
import { answerText } from './rpc/answer.ts';
import { clusterMethods } from './rpc/cluster-methods.ts';
import { historyMethods } from './rpc/history-methods.ts';
import type { RpcMethod } from './rpc/method.ts';
import { transactionMethods } from './rpc/transaction-methods.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './worker-messages.ts';

/** How often the files are synced, in milliseconds. */
const KEEP_INTERVAL = 2000;

/**
 * Runs a chain behind a port, from which its messages come one after another: every answer shows one consistent state.
 * The VM's calls are synchronous and block the event loop of where this runs.
 */
export function serveChain(port: MessagePort, setup: WorkerSetup): void {
  const send = (message: FromWorker) => port.postMessage(message);
  const warn = (message: string) => send({ kind: 'log', level: 'warn', message });
  const report = (error: unknown) =>
    send({ kind: 'log', level: 'error', message: `localnet: ${error instanceof Error ? error.stack : String(error)}` });

  const ledger = openLedger({ ...setup, warn });
  const outbox: FromWorker[] = [];
  const subscriptions = createSubscriptions(ledger, (connection, text) => {
    outbox.push({ kind: 'socket', connection, text });
  });
  const methods: Record<string, RpcMethod> = {
    ...clusterMethods,
    ...accountMethods,
    ...historyMethods,
    ...(setup.forkable ? forkMethods(onSlot) : {}),
    ...transactionMethods((landing) => {
      if ('refused' in landing) return;
      subscriptions.onReceived(landing.landed.signature);
      subscriptions.update();
    }),
  };
  const socketMethods = new Map<number, Record<string, RpcMethod>>();

  function flush(): void {
    for (const message of outbox.splice(0)) send(message);
  }

  function answerSocket(connection: number, text: string): void {
    const own = socketMethods.get(connection) ?? subscriptions.methodsFor(connection);
    socketMethods.set(connection, own);
    const answer = answerText(text, own, ledger, report);
    if (answer !== undefined) send({ kind: 'socket', connection, text: answer });
  }

  const keeping = setInterval(() => {
    try {
      keepLedger(ledger, setup.folder);
    } catch (error) {
      report(error);
    }
  }, KEEP_INTERVAL);
  // A timer at the start of each slot, so that what the slot confirms is reported at once.
  let ticking = setTimeout(tick, ledger.clock.untilNext());

  function tick(): void {
    ticking = setTimeout(tick, ledger.clock.untilNext());
    onSlot();
  }

  function onSlot(): void {
    try {
      ledger.versions.drop(slotOf(ledger, 'finalized'));
      subscriptions.update();
      flush();
    } catch (error) {
      report(error);
    }
  }

  function stop(): void {
    clearInterval(keeping);
    clearTimeout(ticking);
    saveLedger(ledger, setup.folder);
    ledger.journal.close();
    send({ kind: 'stopped' });
    port.close();
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'request') {
      send({ kind: 'answer', id: message.id, text: answerText(message.text, methods, ledger, report) });
    } else if (message.kind === 'socket') {
      answerSocket(message.connection, message.text);
    } else if (message.kind === 'socketClosed') {
      subscriptions.close(message.connection);
      socketMethods.delete(message.connection);
    } else stop();
    flush();
    const failure = ledger.journal.failure();
    if (failure) throw failure;
  });
  send({ kind: 'ready' });
}
