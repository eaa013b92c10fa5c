import { takeTurns } from '../../platform/take-turns.ts';
import { isBadAnswer } from './ask.ts';

/**
 * Reads for several requests in one call of the node: questions that arrive while a call is under way share the next one. Each answer is
 * read after its question was asked, so none is older than it would be alone. A request that finds no call under way does not wait.
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
