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
const FOREIGN_CURSOR = 'must be one that this API gave out';

/** Query of `GET /tickets`. Any text is a valid `event_id`; it matches an event or not. */
export const FetchTicketsQuery = z.object({
  event_id: z.string().optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: PAGE_SIZE })
    .transform(Number)
    .pipe(z.int().min(1, { error: PAGE_SIZE }).max(200, { error: PAGE_SIZE }))
    .optional(),
  cursor: z.string().max(200, { error: FOREIGN_CURSOR }).optional(),
});

export type FetchTicketsQuery = z.infer<typeof FetchTicketsQuery>;

/** In characters. The co-signing policy checks what a transaction may hold. */
const LONGEST_TRANSACTION = 16_384;
const BODY = 'must be a JSON object';
const TRANSACTION = { error: `must be a string of 1 to ${LONGEST_TRANSACTION} characters` };
const TRANSACTIONS = { error: 'must be a list of 1 to 4 strings' };
const TICKETS = { error: 'must be a list of 1 to 10 objects' };
const HEX = { error: `must be a string of pairs of hex digits, ${LONGEST_TRANSACTION} characters at most` };

export const CreateAuthorizationRequest = z.strictObject(
  {
    type: z.enum(['list', 'cancel'], { error: 'must be list or cancel' }),
    transactions: z
      .array(z.string(TRANSACTION).min(1, TRANSACTION).max(LONGEST_TRANSACTION, TRANSACTION), TRANSACTIONS)
      .min(1, TRANSACTIONS)
      .max(4, TRANSACTIONS)
      .describe('Serialized transactions in hex or base64; each contains the listing action named by type'),
  },
  { error: objectError(BODY) },
);

export const CreateAuthorizationResponse = z.strictObject({
  transactions: z.array(z.string()).describe('The signed transactions in hex, in the order of the request'),
});

export const ExecuteClaimRequest = z.strictObject(
  {
    tickets: z
      .array(
        z.strictObject(
          {
            tx: z
              .string(HEX)
              .max(LONGEST_TRANSACTION, HEX)
              .regex(/^(?:[0-9a-fA-F]{2})+$/, HEX)
              .describe('A signed transaction with one transfer_permit_v1 instruction, in hex'),
          },
          { error: objectError('must be an object with the field tx') },
        ),
        TICKETS,
      )
      .min(1, TICKETS)
      .max(10, TICKETS),
  },
  { error: objectError(BODY) },
);

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

/** Beside the contract (D-284). */
export const FetchWalletResponse = z.strictObject({
  wallet_address: z
    .string()
    .describe("The user's wallet: the destination of a transfer that the user will claim, in base58"),
});
export type FetchWalletResponse = z.infer<typeof FetchWalletResponse>;

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

/** The message for an object that is invalid as a whole. */
function objectError(otherwise: string): z.core.$ZodErrorMap {
  return (issue) =>
    issue.code === 'unrecognized_keys'
      ? `must not have the field ${issue.keys.map((key) => key.slice(0, 80)).join(', ')}`
      : otherwise;
}

/**
 * Checks what a caller sent against its shape.
 * @returns the value, or the DomainError `invalid_request` with a sentence that names the field
 */
export function checkShape<T>(shape: z.ZodType<T>, value: unknown): T | DomainError {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
  return new DomainError('invalid_request', `${path === '' ? 'body' : path} ${issue?.message ?? 'is invalid'}`);
}

/** As `checkShape`. @throws DomainError `invalid_request` */
export function parseShape<T>(shape: z.ZodType<T>, value: unknown): T {
  const checked = checkShape(shape, value);
  if (checked instanceof DomainError) throw checked;
  return checked;
}
