import { z } from 'zod';
import type { ExecutedClaim as Claim } from '../../src/claim/execute-claims.ts';
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

const PAGE_SIZE = 'must be a whole number from 1 to 200';

/** Query of `GET /tickets`. Unknown parameters are ignored, as links often carry some. */
export const FetchTicketsQuery = z.object({
  event_id: z.string().min(1).max(200).optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: PAGE_SIZE })
    .transform(Number)
    .pipe(z.int().min(1, { error: PAGE_SIZE }).max(200, { error: PAGE_SIZE }))
    .optional(),
  cursor: z.string().max(200).optional(),
});

/** Each transaction is bounded here only so that nothing absurd is looked at; its rules are the co-signing policy's. */
const transactionText = z.string().min(1).max(16_384);

export const CreateAuthorizationRequest = z.strictObject({
  type: z.enum(['list', 'cancel']),
  transactions: z
    .array(transactionText)
    .min(1)
    .max(4)
    .describe('Serialized transactions in hex or base64; each contains the listing action named by type'),
});

export const CreateAuthorizationResponse = z.strictObject({
  transactions: z.array(z.string()).describe('The signed transactions in hex, in the order of the request'),
});

export const ExecuteClaimRequest = z.strictObject({
  tickets: z
    .array(
      z.strictObject({
        tx: z
          .string()
          .max(16_384)
          .regex(/^(?:[0-9a-fA-F]{2})+$/, { error: 'must be hex digit pairs' })
          .describe('A signed transaction with one transfer_permit_v1 instruction, in hex'),
      }),
    )
    .min(1)
    .max(10),
});

export const ExecutedClaim = z.strictObject({
  tix_event_id: z.string(),
  tix_permit_id: z.string(),
  ticket_id: z.string(),
  signer_wallet: z.string(),
  destination_wallet: z.string(),
  transfer_id: z.string(),
});

export const ExecuteClaimResponse = z.strictObject({ tickets: z.array(ExecutedClaim) });
export type ExecuteClaimResponse = z.infer<typeof ExecuteClaimResponse>;

/** The body of `POST /claims/execute`. */
export function toExecuteClaimResponse(claims: Claim[]): ExecuteClaimResponse {
  return {
    tickets: claims.map((claim) => ({
      tix_event_id: claim.tixEventId,
      tix_permit_id: claim.tixPermitId,
      ticket_id: claim.ticketId,
      signer_wallet: claim.signerWallet,
      destination_wallet: claim.destinationWallet,
      transfer_id: claim.transferId,
    })),
  };
}

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
 * @returns the value, or the DomainError `invalid_request` whose message names the field
 */
export function checkShape<T>(shape: z.ZodType<T>, value: unknown): T | DomainError {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
  return new DomainError('invalid_request', `${path === '' ? 'body' : path}: ${issue?.message ?? 'is invalid'}`);
}

/** As `checkShape`. @throws DomainError `invalid_request` */
export function parseShape<T>(shape: z.ZodType<T>, value: unknown): T {
  const checked = checkShape(shape, value);
  if (checked instanceof DomainError) throw checked;
  return checked;
}
