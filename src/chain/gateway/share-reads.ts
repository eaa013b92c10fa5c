import DataLoader from 'dataloader';
import { isBadAnswer } from './ask.ts';

/** The next call is made when the one before is answered, or so much later: a node that hangs holds up nobody for longer. */
const PATIENCE_MS = 20;

/**
 * Reads for several requests in one call of the node: those that ask while a call is on its way are read together by the next. Each
 * answer is read after its question was asked, so none is older than it would be alone. A request that finds no call on its way waits
 * for nobody.
 * @param read the answers to several questions, in order; where the node refuses that, each question is asked alone
 * @param most questions of one call
 */
export function shareReads<Question, Answer>(
  read: (questions: readonly Question[]) => Promise<(Answer | Error)[]>,
  most: number,
): (question: Question) => Promise<Answer> {
  const waiting: (() => void)[] = [];
  let isFree = true;

  function sendNext(): void {
    const send = waiting.shift();
    if (send === undefined) isFree = true;
    else send();
  }

  async function takeTurn(questions: readonly Question[]): Promise<(Answer | Error)[]> {
    let isPassed = false;
    const patience = setTimeout(() => {
      isPassed = true;
      sendNext();
    }, PATIENCE_MS);
    try {
      return await read(questions);
    } catch (error) {
      if (questions.length === 1 || !isBadAnswer(error)) throw error;
      return Promise.all(questions.map(readAlone));
    } finally {
      clearTimeout(patience);
      if (!isPassed) sendNext();
    }
  }

  async function readAlone(question: Question): Promise<Answer | Error> {
    const [answer] = await read([question]).catch((error: Error) => [error]);
    return answer ?? new Error('a question has no answer');
  }

  const loader = new DataLoader<Question, Answer>(takeTurn, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn(send) {
      if (!isFree) return void waiting.push(send);
      isFree = false;
      // the question is not in it yet
      queueMicrotask(send);
    },
  });
  return (question) => loader.load(question);
}
