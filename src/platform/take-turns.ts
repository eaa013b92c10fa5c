import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';

/** The next turn begins when the one before has ended, or after this time: a turn that hangs delays no request for longer. */
const PATIENCE_MS = 20;

interface Turns {
  /** Requests of one turn: more would let the first of them wait for the last. */
  mostTogether: number;
  /** Concurrent turns; any number by default. */
  mostUnderWay?: number;
}

/**
 * A queue that sends requests together, in turns: requests that arrive during a turn share the next one. A request that finds no turn
 * under way does not wait.
 *
 * Two concurrent turns from the start would be smaller: with 32 requests in flight a code exchange then costs 0.98 ms of CPU instead of
 * 0.85, and userinfo 0.38 instead of 0.30.
 * @param ask the answers to the requests of a turn, in order
 */
export function takeTurns<Given, Result>(
  ask: (all: readonly Given[]) => Promise<(Result | Error)[]>,
  { mostTogether, mostUnderWay = Number.POSITIVE_INFINITY }: Turns,
): DataLoader<Given, Result> {
  const waiting: (() => void)[] = [];
  let isFree = true;
  let underWay = 0;
  const sendNext = () => {
    const send = waiting.shift();
    if (send === undefined) isFree = true;
    else send();
  };

  async function takeTurn(all: readonly Given[]): Promise<(Result | Error)[]> {
    underWay++;
    let isPassed = false;
    const patience = setInterval(() => {
      if (underWay >= mostUnderWay) return;
      isPassed = true;
      clearInterval(patience);
      sendNext();
    }, PATIENCE_MS);
    try {
      return await ask(all);
    } finally {
      underWay--;
      clearInterval(patience);
      if (!isPassed) sendNext();
    }
  }

  return new DataLoader<Given, Result>(takeTurn, {
    cache: false,
    maxBatchSize: mostTogether,
    batchScheduleFn(send) {
      // bound, so that its trace span belongs to a request that waits for it, not to one that has its answer
      if (!isFree) return void waiting.push(AsyncResource.bind(send));
      isFree = false;
      // later, since the loader adds the request after this call
      queueMicrotask(send);
    },
  });
}
