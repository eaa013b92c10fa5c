import { useEffect, useState } from 'preact/hooks';
import { type Failure, isNotFound, readFailure } from '../../page-kit/failure.ts';
import type { AppAccess, HistoryEntry, OwnTicket, PortalApi } from './api.ts';
import { usePortalWords } from './texts/portal-words.ts';

/** The notice after a change, and how to undo the change. */
export type Notice = { text: string; undo?: { work: () => Promise<unknown>; done: string } };

/** Runs a change and shows `done` when it succeeded. @returns whether it did */
export type Change = (work: () => Promise<unknown>, done: Notice) => Promise<boolean>;

export const NO_NOTICE: Notice = { text: '' };

type Access = { apps: AppAccess[]; tickets: OwnTicket[]; entries: HistoryEntry[]; before: string | null };

export type Reading = ReturnType<typeof useAccess>;

/** The fan's apps, tickets and history. After each change all are read again. */
export function useAccess(api: PortalApi, explain: (failure: Failure) => string | undefined) {
  const { portal } = usePortalWords();
  const [access, setAccess] = useState<Access>();
  const [problem, setProblem] = useState<string>();
  const [notice, setNotice] = useState(NO_NOTICE);

  async function read(): Promise<void> {
    const [apps, tickets, page] = await Promise.all([api.apps(), api.tickets(), api.history(null)]);
    setAccess({ apps, tickets, ...page });
  }

  async function readTickets(): Promise<OwnTicket[]> {
    const tickets = await api.tickets();
    setAccess((old) => old && { ...old, tickets });
    return tickets;
  }

  /** Says what happened by itself. What can be undone stays in sight. */
  const announce = (text: string) => setNotice((old) => (old.undo === undefined ? { text } : old));

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

  const closeNotice = () => setNotice(NO_NOTICE);
  return { access, problem, notice, read, readTickets, attempt, change, showOlder, announce, closeNotice };
}
