import { eventTime } from '../../../page-kit/tickets/event-time.ts';
import { groupTickets, type TicketRow } from '../../../page-kit/tickets/group-tickets.ts';
import { describeResale } from '../../../page-kit/tickets/resale.ts';
import type { OwnTicket } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Sale } from '../use-sales.ts';
import { ButtonFor } from './button-for.tsx';
import { ticketOf } from './describe-entry.ts';
import { EventList } from './event-list.tsx';
import { FoldedList } from './folded-list.tsx';
import { inSol } from './in-sol.ts';

/** How many tickets on sale, and how many events, are shown; the rest are folded. */
const MOST_IN_SIGHT = 10;

type Props = {
  tickets: readonly OwnTicket[];
  sales: readonly Sale[];
  /** Whether only what is on sale is in sight. */
  isFolded: boolean;
  /** @param ticket its name, different from the others' */
  onTakeOff: (sale: Sale, ticket: string) => void;
};

/** The fan's tickets for future events, by event; before them those that are on sale, with a way to take them off. */
export function OwnTickets({ tickets, sales, isFolded, onTakeOff }: Props) {
  const { portal, format } = usePortalWords();
  const rows = new Map(groupTickets(tickets).flatMap((group) => group.rows.map((row) => [row.id, row])));
  const all = format(portal.someTickets, { tickets: tickets.length });
  const list = <EventList tickets={tickets} most={MOST_IN_SIGHT} />;
  return (
    <section class="app own" aria-labelledby="own">
      <h2 id="own">{portal.sales.tickets}</h2>
      {sales.length === 0 ? null : (
        <section aria-labelledby="sales">
          <h3 id="sales" class="label">
            {portal.sales.title}
          </h3>
          <FoldedList
            look="on-sale"
            items={sales}
            keyOf={({ id }) => id}
            render={(sale) => <SaleLine sale={sale} row={rows.get(sale.id)} onTakeOff={onTakeOff} />}
            more={(left) => format(portal.sales.more, { tickets: left })}
            most={MOST_IN_SIGHT}
          />
        </section>
      )}
      {isFolded ? (
        <details class="folded">
          <summary>{all}</summary>
          {list}
        </details>
      ) : (
        <div>
          {sales.length === 0 ? null : <h3 class="label">{all}</h3>}
          {list}
        </div>
      )}
    </section>
  );
}

type LineProps = Pick<Props, 'onTakeOff'> & { sale: Sale; row: TicketRow | undefined };

function SaleLine({ sale, row, onTakeOff }: LineProps) {
  const words = usePortalWords();
  const { portal, texts, locale, format } = words;
  const { app, price, since, isEnding } = sale.sale;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const number =
    row !== undefined && row.ofType > 1
      ? format(texts.consent.ticketNumber, { position: row.position, all: row.ofType })
      : undefined;
  const name = [ticketOf(sale), number].filter(Boolean).join(' · ');
  const terms = {
    known: app === null ? 'no' : 'yes',
    app: app?.name ?? '',
    price: inSol(price, locale),
    date: date.format(new Date(since)),
  };
  return (
    <>
      <span>
        <strong>
          <bdi>{sale.eventName}</bdi>
        </strong>
        <small>
          {eventTime(sale, locale)} · <bdi>{sale.ticketTypeName}</bdi>
          {number === undefined ? null : ` · ${number}`}
        </small>
        <small>{format(portal.sales.terms, terms)}</small>
        {sale.resale === null ? null : <small>{describeResale(sale.resale, sale.timeZone, words)}</small>}
      </span>
      <ButtonFor
        subject={name}
        text={isEnding ? portal.sales.ending : portal.sales.takeOff}
        isBusy={isEnding}
        onClick={() => onTakeOff(sale, name)}
      />
    </>
  );
}
