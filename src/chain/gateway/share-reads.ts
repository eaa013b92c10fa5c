import { takeTurns } from '../../platform/take-turns.ts';
import { isBadAnswer } from './ask.ts';

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
  async function ask(questions: readonly Question[]): Promise<(Answer | Error)[]> {
    try {
      return await read(questions);
    } catch (error) {
      if (questions.length === 1 || !isBadAnswer(error)) throw error;
      return Promise.all(questions.map(readAlone));
    }
  }

  async function readAlone(question: Question): Promise<Answer | Error> {
    const [answer] = await read([question]).catch((error: Error) => [error]);
    return answer ?? new Error('a question has no answer');
  }

  const queue = takeTurns(ask, { mostTogether: most });
  return (question) => queue.load(question);
}
