import { useEffect, useState } from 'preact/hooks';
import { type Failure, readFailure } from '../../page-kit/failure.ts';
import type { AppAccess, HistoryEntry, PortalApi } from './api.ts';
import { isGone } from './is-gone.ts';
import { usePortalWords } from './texts/portal-words.ts';

/** What one change does and says: the call, then the words for when it went well. */
export type Change = (work: () => Promise<unknown>, done: string) => Promise<boolean>;

type Told = { apps: AppAccess[]; entries: HistoryEntry[]; before: string | null };

/** What the service tells of the fan's apps and history. Each change is made by the server; then both are read anew. */
export function useAccess(api: PortalApi, explain: (failure: Failure) => string | undefined) {
  const { texts } = usePortalWords();
  const [told, setTold] = useState<Told>();
  const [problem, setProblem] = useState<string>();
  const [notice, setNotice] = useState('');

  async function read(): Promise<void> {
    const [apps, page] = await Promise.all([api.apps(), api.history(null)]);
    setTold({ apps, ...page });
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(isGone(error) ? texts.gone : explain(readFailure(error)));
      return false;
    }
  }

  const change: Change = async (work, done) => {
    setNotice('');
    const isDone = await attempt(work);
    if (isDone && (await attempt(read))) setNotice(done);
    // what went wrong is not wiped away by a list that could be read
    if (!isDone) await read().catch(() => undefined);
    return isDone;
  };

  async function showOlder(): Promise<void> {
    if (told === undefined || told.before === null) return;
    const { before } = told;
    await attempt(async () => {
      const page = await api.history(before);
      setTold({ ...told, entries: [...told.entries, ...page.entries], before: page.before });
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    void attempt(read);
  }, []);

  return { told, problem, notice, change, showOlder };
}
