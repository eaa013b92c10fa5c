import type { Floor } from './task.ts';

interface Row {
  id: string;
  event_id: string;
  tix_event_id: string;
  tix_ticket_id: string;
  ticket_type_id: string;
  event_name: string;
  ticket_type_name: string;
  purchase_date: string;
}

/** The server's statement, and a JSON body of the same fields. No token. */
export const tickets: Floor =
  ({ query, tickets }) =>
  async () => {
    const { name, text, values } = tickets.statement;
    const rows = await query<Row>(name, text, values);
    const listed = rows.map((row) => ({
      id: row.id,
      svc_event_id: row.event_id,
      tix_event_id: row.tix_event_id,
      tix_ticket_id: row.tix_ticket_id,
      ticket_type_id: row.ticket_type_id,
      event_name: row.event_name,
      ticket_type_name: row.ticket_type_name,
      purchase_date: row.purchase_date,
    }));
    return JSON.stringify({ user_id: tickets.userId, tickets: listed });
  };
