import type { SqlContext } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { openListingOf, signatureOf } from '../../tickets/listing/sales.ts';
import { futureEvent, TICKET_ORDER } from '../../tickets/ticket/future-tickets.ts';
import { TICKET_OPTION_COLUMNS } from '../consent/statements.ts';
import { type TicketOption, type TicketOptionRow, toTicketOption } from '../consent/ticket-option.ts';

/** A ticket of a fan for a future event. */
export interface OwnTicket extends TicketOption {
  /** Null where it is not on sale. */
  sale: OwnSale | null;
}

/** How a ticket is on sale. */
export interface OwnSale {
  /** The app that put it on sale; null where this service has not co-signed the listing. */
  app: { clientId: Id<'client'>; grantId: Id<'grant'>; name: string } | null;
  /** Lamports. */
  price: string;
  since: Date;
  /** Whether it is being taken off sale. */
  isEnding: boolean;
}

interface OwnTicketRow extends TicketOptionRow {
  clientId: Uuid | null;
  grantId: Uuid | null;
  appName: string | null;
  price: string | null;
  since: Date | null;
  isEnding: boolean;
}

const readOwn = preparedWithDates<OwnTicketRow>(`
  select ${TICKET_OPTION_COLUMNS}, c.id as "clientId", g.id as "grantId", c.name as "appName", l.price::text as price,
    l.opened_at as since, exists (select from custody_move m where m.permit_id = p.id and m.state = 'open') as "isEnding"
  from fan f join ticket t on t.owner_id = f.id join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id and ${futureEvent('e', 'f.mode', '$2')}
    join permit p on p.ticket_id = t.id and (p.revoked_at is null or exists (${openListingOf('p.id')}))
    left join lateral (${openListingOf('p.id')}) l on true
    left join lateral (${signatureOf('l', 'p')}) s on l.id is not null
    left join consent_grant g on g.id = s.grant_id left join client c on c.id = g.client_id
  where f.id = $1 order by ${TICKET_ORDER}`);

/** The tickets that a fan holds for future events, and those of them that are on sale, in the order of the Fan API. */
export async function listOwnTickets({ pool, now }: SqlContext, fanId: Id<'usr'>): Promise<OwnTicket[]> {
  const rows = await readOwn(pool, [uuidOf('usr', fanId), now()]);
  return rows.map(({ clientId, grantId, appName, price, since, isEnding, ...ticket }) => ({
    ...toTicketOption(ticket),
    sale: price === null || since === null ? null : { app: appOf(clientId, grantId, appName), price, since, isEnding },
  }));
}

function appOf(client: Uuid | null, grant: Uuid | null, name: string | null): OwnSale['app'] {
  if (client === null || grant === null || name === null) return null;
  return { clientId: idOf('client', client), grantId: idOf('grant', grant), name };
}
