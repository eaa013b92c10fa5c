import { decodeAddress } from '@fan-api/solana-wire/base58';
import { z } from 'zod';
import { TICKET_STATUSES } from '../entities/ticket.ts';
import { DomainError } from '../platform/errors.ts';
import { textFault } from '../platform/identifier/name-fault.ts';
import { isId } from '../platform/identifier/type-id.ts';
import { toE164 } from '../platform/phone-number.ts';
import { isTimeZone } from '../tickets/ticket/is-time-zone.ts';
import { ROW_KINDS, type RowFault, type RowKind, rowFault } from './row-result.ts';

/** How far ahead a version time may be: one that is years ahead would make every later row stale. */
const AHEAD_MS = 24 * 3_600_000;
const FIRST_YEAR = 1970;

/** Text that PostgreSQL can hold, in `text` and in JSON. */
const text = (length: number) =>
  z
    .string()
    .min(1)
    .max(length)
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), { error: 'must have no control characters' })
    .refine((value) => value.trim() === value, { error: 'must not begin or end with a space' });

const reference = text(200);

/** A name of a column, or a value of a closed list, in the form in which this service has it: `Ticket Type` is `ticket_type`. */
export function plainName(text: string): string {
  return text.trim().toLowerCase().replace(/[ -]/g, '_');
}

/** One of a closed list. */
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.preprocess((value) => (typeof value === 'string' ? plainName(value) : value), z.enum(values));

/** What fans read. */
const shown = (length: number) =>
  text(length).superRefine((value, ctx) => {
    const fault = textFault(value);
    if (fault !== undefined) ctx.addIssue({ code: 'custom', message: fault });
  });

/** A time as databases print it: a space for the T, minutes of the offset left out. @see RFC 3339 §5.6 */
const PRINTED_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:([Zz])|([+-]\d\d)(?::?(\d\d))?)$/;

const moment = z
  .string()
  .overwrite((value) =>
    value.replace(
      PRINTED_TIME,
      (_, date, time, utc, hours, minutes = '00') => `${date}T${time}${utc ? 'Z' : `${hours}:${minutes}`}`,
    ),
  )
  .pipe(z.iso.datetime({ offset: true, error: 'must be a time with its offset, such as 2026-11-21T18:00:00Z' }))
  .transform((value) => new Date(value))
  .refine((value) => value.getUTCFullYear() >= FIRST_YEAR, { error: `must not be before ${FIRST_YEAR}` });

const version = moment.refine((value) => value.getTime() <= Date.now() + AHEAD_MS, {
  error: 'must not be more than a day ahead',
});

const phone = z.string().transform((value, ctx) => {
  try {
    return toE164(value);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    ctx.addIssue({ code: 'custom', message: 'must be a phone number with + and the country code' });
    return z.NEVER;
  }
});

const fanId = z.custom<string>().transform((value, ctx) => {
  if (typeof value === 'string' && isId('usr', value)) return value;
  ctx.addIssue({ code: 'custom', message: 'must be the ID of a fan: usr_…' });
  return z.NEVER;
});

/** The address of an account that exists on the cluster. */
const address = z.string().refine((value) => decodeAddress(value) !== undefined, {
  error: 'must be an address: 32 bytes in base58',
});

/** `reference` is the company's own; what is left out keeps its stored value. */
const EventRow = z
  .strictObject({
    kind: z.literal('event'),
    reference,
    name: shown(200),
    venue: shown(200).nullish(),
    starts_at: moment,
    ends_at: moment,
    time_zone: z.string().refine(isTimeZone, { error: 'must be an IANA name, such as Europe/Berlin' }).optional(),
    status: oneOf(['scheduled', 'cancelled']).optional(),
    /** Its tickets can be resold until then; null: until it ends. */
    resale_until: moment.nullish(),
    /** An Event account that was registered elsewhere, to adopt. */
    tix_event_id: address.optional(),
    updated_at: version.optional(),
  })
  .refine((row) => row.ends_at > row.starts_at, { path: ['ends_at'], error: 'must be after starts_at' })
  .refine((row) => row.resale_until == null || row.resale_until <= row.ends_at, {
    path: ['resale_until'],
    error: 'must not be after ends_at',
  });

const TicketTypeRow = z.strictObject({
  kind: z.literal('ticket_type'),
  reference,
  /** The reference of its event. */
  event: reference,
  name: shown(120),
  /** Whether its tickets can be put on sale. */
  resale: oneOf(['yes', 'no']).optional(),
  updated_at: version.optional(),
});

const TicketRow = z
  .strictObject({
    kind: z.literal('ticket'),
    reference,
    /** The references of its type and event. */
    ticket_type: reference,
    event: reference,
    /** Either of the two for a new ticket; neither where the holder stays. */
    holder_phone: phone.optional(),
    holder_fan_id: fanId.optional(),
    purchased_at: moment.optional(),
    status: oneOf(TICKET_STATUSES).optional(),
    /** When it was scanned; the time of the call if omitted. */
    used_at: moment.optional(),
    /** The name of the seat. */
    label: shown(80).nullish(),
    /** A Permit account that was issued elsewhere, to adopt. */
    tix_permit_id: address.optional(),
    updated_at: version.optional(),
  })
  .refine((row) => row.holder_phone === undefined || row.holder_fan_id === undefined, {
    path: ['holder_phone'],
    error: 'and holder_fan_id can’t both be given',
  })
  .refine((row) => row.used_at === undefined || row.status === 'used', {
    path: ['used_at'],
    error: 'is only for a row with the status used',
  });

const SCHEMAS = { event: EventRow, ticket_type: TicketTypeRow, ticket: TicketRow } as const;

export type EventRow = z.output<typeof EventRow>;
export type TicketTypeRow = z.output<typeof TicketTypeRow>;
export type TicketRow = z.output<typeof TicketRow>;
export type InventoryRow = EventRow | TicketTypeRow | TicketRow;

/** A row as received, read as far as possible. */
export interface ParsedRow {
  kind: RowKind | null;
  reference: string | null;
  /** Undefined where there is a fault. */
  row?: InventoryRow;
  fault?: RowFault;
}

/** Checks one row on its own. Never throws: a row may be anything that JSON can hold. */
export function parseRow(value: unknown): ParsedRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: null, reference: null, fault: rowFault('invalid_row', undefined, 'A row is an object.') };
  }
  const given = value as Record<string, unknown>;
  const kind = ROW_KINDS.find((known) => typeof given.kind === 'string' && known === plainName(given.kind)) ?? null;
  const known = reference.safeParse(given.reference);
  const named = { kind, reference: known.success ? known.data : null };
  if (kind === null) {
    const kinds = ROW_KINDS.join(', ');
    return { ...named, fault: rowFault('invalid_row', 'kind', `kind must be one of: ${kinds}.`) };
  }
  const parsed = SCHEMAS[kind].safeParse({ ...value, kind });
  return parsed.success ? { ...named, row: parsed.data } : { ...named, fault: faultOf(parsed.error, given) };
}

function faultOf({ issues }: z.ZodError, given: Record<string, unknown>): RowFault {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') {
    const field = String(issue.keys[0]).slice(0, 60);
    return rowFault('invalid_row', field, `${field} is not a member of this kind of row.`);
  }
  const field = issue?.path[0]?.toString();
  if (field === undefined) return rowFault('invalid_row');
  const missing = issue?.code === 'invalid_type' && given[field] === undefined;
  return rowFault('invalid_row', field, `${field} ${missing ? 'is missing' : wordsOf(issue)}.`);
}

/** An issue of zod in the words of our other messages, always without the value: it may be a phone number. */
function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'too_small':
    case 'too_big':
      return `must have ${issue.code === 'too_small' ? 'at least' : 'at most'} ${
        issue.code === 'too_small' ? issue.minimum : issue.maximum
      } characters`;
    case 'invalid_type':
      return `must be a ${issue.expected}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`;
    default:
      return issue?.message ?? 'is invalid';
  }
}
