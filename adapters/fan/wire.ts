import { z } from 'zod';
import { DomainError } from '../../src/errors.ts';
import type { TicketPage } from '../../src/ticket/fetch-tickets.ts';

/** The shapes of the Fan API on the wire (spec §2): field names and nothing else. Objects take no additional properties. */

export const Ticket = z.strictObject({
  id: z.string(),
  svc_event_id: z.string(),
  tix_event_id: z.string(),
  tix_ticket_id: z.string(),
  ticket_type_id: z.string(),
  event_name: z.string(),
  ticket_type_name: z.string(),
  purchase_date: z.string(),
});

export const FetchTicketsResponse = z.strictObject({ user_id: z.string(), tickets: z.array(Ticket) });
export type FetchTicketsResponse = z.infer<typeof FetchTicketsResponse>;

export const ErrorResponse = z.strictObject({ message: z.string() });

/** Query of `GET /tickets`. Unknown parameters are ignored, as links often carry some. */
export const FetchTicketsQuery = z.object({
  event_id: z.string().min(1).max(200).optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: 'must be a whole number from 1 to 200' })
    .transform(Number)
    .pipe(z.int().min(1).max(200, { error: 'must be a whole number from 1 to 200' }))
    .optional(),
  cursor: z.string().max(200).optional(),
});

/** The body of `GET /tickets`. */
export function toFetchTicketsResponse(page: TicketPage): FetchTicketsResponse {
  return {
    user_id: page.userId,
    tickets: page.tickets.map((ticket) => ({
      id: ticket.id,
      svc_event_id: ticket.svcEventId,
      tix_event_id: ticket.tixEventId,
      tix_ticket_id: ticket.tixTicketId,
      ticket_type_id: ticket.ticketTypeId,
      event_name: ticket.eventName,
      ticket_type_name: ticket.ticketTypeName,
      purchase_date: ticket.purchaseDate,
    })),
  };
}

/**
 * Checks what a caller sent against its shape.
 * @throws DomainError `invalid_request` whose message names the field
 */
export function parseShape<T>(shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
  throw new DomainError('invalid_request', `${path === '' ? 'body' : path}: ${issue?.message ?? 'is invalid'}`);
}
