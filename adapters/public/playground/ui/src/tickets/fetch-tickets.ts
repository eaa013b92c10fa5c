import type { FetchTicketsResponse } from '@fan-api/sdk';
import type { PlaygroundConfig } from '../config.ts';
import { fanApiOf } from '../partner.ts';
import { changeFan } from '../state.ts';

/** Lists a fan's tickets, and keeps the list. @param eventId only those of this event */
export async function fetchTickets(config: PlaygroundConfig, sub: string, eventId = ''): Promise<FetchTicketsResponse> {
  const tickets = await fanApiOf(config, sub).tickets(eventId === '' ? {} : { eventId });
  changeFan(sub, { tickets });
  return tickets;
}
