import { z } from 'zod';
import { DomainError } from '../../../src/platform/errors.ts';
import { type IdPrefix, idOf } from '../../../src/platform/identifier/type-id.ts';
import type { ClaimRow } from '../../../src/tickets/claim/stored-claim.ts';
import type { TicketPage } from '../../../src/tickets/ticket/fetch-tickets.ts';

/** The shapes of the Fan API on the wire (spec §2): field names and nothing more. Objects allow no additional properties. */

/** An identifier of ours: the prefix of its kind and 26 characters of base32. */
export const identifier = (prefix: IdPrefix) => z.string().regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
/** 32 bytes in base58. */
const address = () => z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

export const Ticket = z.strictObject({
  id: identifier('tkt'),
  svc_event_id: identifier('evt').describe('The event identifier of this service'),
  tix_event_id: address().describe("The event's onchain address, in base58"),
  tix_ticket_id: address().describe('The onchain ticket identifier: 32 bytes in base58'),
  ticket_type_id: identifier('typ'),
  event_name: z.string().max(200),
  ticket_type_name: z.string().max(120),
  purchase_date: z.iso
    .datetime({ precision: 3 })
    .describe('When the ticket was first bought, in UTC. A resale does not change it'),
});

export const FetchTicketsResponse = z.strictObject({ user_id: identifier('usr'), tickets: z.array(Ticket) });
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

/** The co-signing policy checks the text of a transaction. For the description: a legacy or version 0 one has at most 1,232 bytes. */
const LONGEST_HEX = 2 * 1232;
const HEX_PAIRS = '(?:[0-9a-fA-F]{2})+';
/** Padded, and without stray bits in the last character. */
const BASE64 = '(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)';
const BODY = 'must be a JSON object';
const TEXT = { error: 'must be a string' };
const TRANSACTIONS = { error: 'must be a list of 1 to 4 strings' };
const TICKETS = { error: 'must be a list of 1 to 10 objects' };

export const CreateAuthorizationRequest = z.strictObject(
  {
    type: z.enum(['list', 'cancel'], { error: 'must be list or cancel' }),
    transactions: z
      .array(
        z.string(TEXT).meta({ minLength: 1, maxLength: LONGEST_HEX, pattern: `^(?:${HEX_PAIRS}|${BASE64})$` }),
        TRANSACTIONS,
      )
      .min(1, TRANSACTIONS)
      .max(4, TRANSACTIONS)
      .describe('Serialized transactions in hex or base64; each contains the listing action named by type'),
  },
  { error: objectError(BODY) },
);

export const CreateAuthorizationResponse = z.strictObject({
  transactions: z
    .array(z.string().regex(/^(?:[0-9a-f]{2})+$/))
    .min(1)
    .max(4)
    .describe('The signed transactions in hex, in the order of the request'),
});

export const ExecuteClaimRequest = z.strictObject(
  {
    tickets: z
      .array(
        z.strictObject(
          {
            tx: z.string(TEXT).meta({
              maxLength: LONGEST_HEX,
              pattern: `^${HEX_PAIRS}$`,
              description: 'A signed transaction with one transfer_permit_v1 instruction, in hex',
            }),
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
  tix_event_id: address(),
  tix_permit_id: address().describe("The permit's onchain address, in base58"),
  ticket_id: identifier('tkt'),
  signer_wallet: address().describe('Who signed the transfer: the holder, or the marketplace of a listed ticket'),
  destination_wallet: address().describe('The wallet of the user'),
  transfer_id: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
    .describe("The transaction's first signature, in base58"),
});

export const ExecuteClaimResponse = z.strictObject({ tickets: z.array(ExecutedClaim).min(1).max(10) });
export type ExecuteClaimResponse = z.infer<typeof ExecuteClaimResponse>;

/** Beside the contract, which has no way to learn the destination of a claim for a fan without a ticket. */
export const FetchWalletResponse = z.strictObject({
  wallet_address: address().describe(
    "The user's wallet: the destination of a transfer that the user will claim, in base58",
  ),
});
export type FetchWalletResponse = z.infer<typeof FetchWalletResponse>;

/** The body of `POST /claims/execute`. */
export function toExecuteClaimResponse(claims: ClaimRow[]): ExecuteClaimResponse {
  return {
    tickets: claims.map(({ tix_event_id, tix_permit_id, ticket_id, signer_wallet, destination_wallet, signature }) => ({
      tix_event_id,
      tix_permit_id,
      ticket_id: idOf('tkt', ticket_id),
      signer_wallet,
      destination_wallet,
      transfer_id: signature,
    })),
  };
}

/** The body of `GET /tickets`. */
export function toFetchTicketsResponse(page: TicketPage): FetchTicketsResponse {
  return {
    user_id: page.userId,
    tickets: page.tickets.map(([id, event, tixEvent, tixTicket, ticketType, eventName, ticketTypeName, purchased]) => ({
      id: idOf('tkt', id),
      svc_event_id: idOf('evt', event),
      tix_event_id: tixEvent,
      tix_ticket_id: tixTicket,
      ticket_type_id: idOf('typ', ticketType),
      event_name: eventName,
      ticket_type_name: ticketTypeName,
      purchase_date: purchased,
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
