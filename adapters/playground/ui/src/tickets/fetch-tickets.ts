import { jsonOf } from '../calls/call.ts';
import { type AnsweredCall, bearerRequest, send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';
import { changeFan } from '../state.ts';
import { accessTokenFor } from '../tokens/refresh-tokens.ts';

/** As `GET /tickets` gives it. */
export interface Ticket {
  id: string;
  svc_event_id: string;
  tix_event_id: string;
  tix_ticket_id: string;
  ticket_type_id: string;
  event_name: string;
  ticket_type_name: string;
  purchase_date: string;
}

export interface TicketList {
  user_id: string;
  tickets: Ticket[];
}

/** Lists a fan's tickets, and keeps the list where it is whole. @param eventId only those of this event */
export async function fetchTickets(config: PlaygroundConfig, sub: string, eventId = ''): Promise<AnsweredCall> {
  const query = eventId === '' ? '' : `?${new URLSearchParams({ event_id: eventId })}`;
  const url = `${config.api_url}/tickets${query}`;
  const call = await send('Tickets', bearerRequest('GET', url, await accessTokenFor(config, sub)));
  if (call.answer.status === 200) changeFan(sub, { tickets: jsonOf(call.answer) as unknown as TicketList });
  return call;
}
