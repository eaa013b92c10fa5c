import { useEffect, useState } from 'preact/hooks';
import { type Failure, isNotFound, readFailure } from '../../page-kit/failure.ts';
import type { AppAccess, HistoryEntry, PortalApi } from './api.ts';
import { usePortalWords } from './texts/portal-words.ts';

/** The notice after a change, and how to undo the change. */
export type Notice = { text: string; undo?: { work: () => Promise<unknown>; done: string } };

/** Runs a change and shows `done` when it succeeded. @returns whether it did */
export type Change = (work: () => Promise<unknown>, done: Notice) => Promise<boolean>;

export const NO_NOTICE: Notice = { text: '' };

type Access = { apps: AppAccess[]; entries: HistoryEntry[]; before: string | null };

/** The fan's apps and history. After each change both are read again. */
export function useAccess(api: PortalApi, explain: (failure: Failure) => string | undefined) {
  const { portal } = usePortalWords();
  const [access, setAccess] = useState<Access>();
  const [problem, setProblem] = useState<string>();
  const [notice, setNotice] = useState(NO_NOTICE);

  async function read(): Promise<void> {
    const [apps, page] = await Promise.all([api.apps(), api.history(null)]);
    setAccess({ apps, ...page });
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(isNotFound(error) ? portal.gone : explain(readFailure(error)));
      return false;
    }
  }

  const change: Change = async (work, done) => {
    setNotice(NO_NOTICE);
    const isDone = await attempt(work);
    if (isDone && (await attempt(read))) setNotice(done);
    // the problem stays on the page even if the lists can be read again
    if (!isDone) await read().catch(() => undefined);
    return isDone;
  };

  async function showOlder(): Promise<void> {
    if (access === undefined || access.before === null) return;
    const { before } = access;
    await attempt(async () => {
      const page = await api.history(before);
      setAccess({ ...access, entries: [...access.entries, ...page.entries], before: page.before });
    });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    void attempt(read);
  }, []);

  return { access, problem, notice, change, showOlder, closeNotice: () => setNotice(NO_NOTICE) };
}
