import { useEffect, useRef, useState } from 'preact/hooks';
import { isOver, readFailure } from '../../page-kit/failure.ts';
import type { Explain } from '../../page-kit/use-work.ts';
import type { OwnTicket, PortalApi } from './api.ts';
import type { Question } from './parts/confirm-dialog.tsx';
import { ticketOf } from './parts/describe-entry.ts';
import { usePortalWords } from './texts/portal-words.ts';
import { type Change, NO_NOTICE, type Notice, type Reading } from './use-access.ts';

/** A ticket that is on sale. */
export type Sale = OwnTicket & { sale: NonNullable<OwnTicket['sale']> };

type Asked = Pick<Question, 'title' | 'detail' | 'confirm' | 'sales'>;

/** What is taken away from an app. */
type Loss = Omit<Asked, 'sales'> & {
  /** What these put on sale ends with it. */
  grantIds: readonly string[];
  /** Ids of tickets that the app keeps. */
  kept?: ReadonlySet<string>;
  work: (keepsSales: boolean) => Promise<unknown>;
  /** @param ended how many tickets are taken off sale */
  done: (ended: number) => Notice;
};

/**
 * Takes something away from an app. Asks first where it has a `detail`, or where tickets are taken off sale with it.
 * @returns whether it was done
 */
type TakeAway = (loss: Loss) => Promise<boolean>;

/** With what the parts of the page change something. */
export type Controls = { api: PortalApi; change: Change; takeAway: TakeAway };

/** Between looks whether a ticket is off sale. */
const LOOK_AGAIN_MS = 2_000;

/** A ticket that is put on sale again is another sale. */
const keyOf = ({ id, sale }: Sale) => `${id} ${sale.since}`;

/** The fan's tickets on sale, and the ways in which a sale ends. */
export function useSales(api: PortalApi, explain: Explain, { access, attempt, change, ...reading }: Reading) {
  const { portal, format } = usePortalWords();
  // the service takes up to a second to begin with what ended with an access
  const [ended, setEnded] = useState<readonly string[]>([]);
  const [question, setQuestion] = useState<Question>();
  const [looks, setLooks] = useState(0);

  const salesAmong = (tickets: readonly OwnTicket[]): Sale[] =>
    tickets.flatMap((ticket) => {
      if (ticket.sale === null) return [];
      const isEnding = ticket.sale.isEnding || ended.includes(keyOf({ ...ticket, sale: ticket.sale }));
      return [{ ...ticket, sale: { ...ticket.sale, isEnding } }];
    });
  const sales = salesAmong(access?.tickets ?? []);
  const ending = sales.filter(({ sale }) => sale.isEnding);
  const isEnding = ending.length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once more after each look, also after one that failed
  useEffect(() => {
    if (!isEnding) return;
    const timer = setTimeout(async () => {
      await reading.readTickets().catch((error: unknown) => explain(readFailure(error)));
      setLooks(looks + 1);
    }, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isEnding, looks]);

  const before = useRef(ending);
  useEffect(() => {
    const [gone, ...more] = before.current.filter((sale) => !sales.some((each) => keyOf(each) === keyOf(sale)));
    before.current = ending;
    if (gone === undefined) return;
    reading.announce(format(portal.sales.gone, { tickets: more.length + 1, ticket: ticketOf(gone) }));
    // the history says how it ended
    void reading.read().catch(() => undefined);
  });

  async function end(work: Promise<unknown>, over: readonly Sale[]): Promise<void> {
    await work;
    setEnded((all) => [...all, ...over.map(keyOf)]);
  }

  const ask = (asked: Asked, carryOut: (keepsSales: boolean) => Promise<boolean>) =>
    new Promise<boolean>((resolve) => {
      setQuestion({
        ...asked,
        onConfirm: async (keepsSales) => resolve(await carryOut(keepsSales)),
        onClose() {
          setQuestion(undefined);
          resolve(false);
        },
      });
    });

  const takeAway: TakeAway = async ({ grantIds, kept, work, done, ...asked }) => {
    let concerned: Sale[] = [];
    // an app may have put something on sale since the page was loaded
    const find = async () => {
      concerned = salesAmong(await reading.readTickets()).filter(
        ({ id, sale }) => !sale.isEnding && grantIds.includes(sale.app?.grantId ?? '') && !kept?.has(id),
      );
    };
    if (grantIds.length > 0 && !(await attempt(find))) return false;
    const carryOut = (keepsSales: boolean) => {
      const over = keepsSales ? [] : concerned;
      return change(() => end(work(keepsSales), over), done(over.length));
    };
    const mustAsk = concerned.length > 0 || asked.detail !== undefined;
    return mustAsk ? ask({ ...asked, sales: concerned }, carryOut) : carryOut(false);
  };

  /** @param ticket as the fan knows it from the others */
  function takeOff(sale: Sale, ticket: string): void {
    const order = () =>
      api.takeOffSale(sale.id).catch((error: unknown) => {
        // sold or taken off meanwhile
        if (!isOver(error)) throw error;
      });
    const asked = {
      title: portal.sales.takeOffTitle,
      detail: format(portal.sales.takeOffDetail, { ticket }),
      confirm: portal.sales.takeOff,
    };
    void ask(asked, () => change(() => end(order(), [sale]), NO_NOTICE));
  }

  return { sales, takeAway, takeOff, question };
}
