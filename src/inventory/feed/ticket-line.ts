import { decodeArgs, instructionDataLength, instructionNameOf } from '@fan-api/cosign-policy/read-instruction';
import { parseTransaction } from '@fan-api/solana-wire/parse-transaction';
import type { TicketStatus } from '../../entities/ticket.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { openListingOf } from '../../tickets/listing/sales.ts';
import { IS_UNNEEDED } from '../issuing/waiting-permits.ts';

/** A ticket of the company as it is: a line of the feed. Amounts are in lamports, in decimal; addresses are in base58. */
export interface TicketLine {
  /** The company's references, also of the event and the type. */
  ticket: string;
  event: string;
  ticket_type: string;
  /** The name of the seat. */
  label: string | null;
  id: Id<'tkt'>;
  /** A fan with the number that is the fan's now, or a wallet that is not of this service; null where neither is known. */
  holder: { fan_id: Id<'usr'>; phone: string | null } | { wallet: string } | null;
  status: TicketStatus;
  /** Null unless the status is `used`. */
  used_at: Date | null;
  /** Of its permit. `not needed`: no app may list the ticket; `closed`: it is gone for good, after the event. */
  onchain: 'not needed' | 'waiting' | 'issued' | 'closed';
  /** The offer for sale that is open. */
  listing: { marketplace: string; price: string; at: Date } | null;
  /** The last sale. The client and the transfer are null where it was not claimed through this service, or is not confirmed yet. */
  sale: { at: Date; price: string; client_id: Id<'client'> | null; transfer_id: string | null } | null;
  /** When it was read so. */
  at: Date;
}

/** Columns that a line has as they are. */
const SAME = `t.reference as ticket, e.reference as event, tt.reference as ticket_type, t.label, t.status, t.used_at,
  case when p.closed_at is not null then 'closed' when p.issued_at is not null then 'issued'
    when exists (select from waiting_permit w where w.permit_id = p.id and not ${IS_UNNEEDED}) then 'waiting' else 'not needed' end as onchain,
  now() as at`;

/** SQL: the columns of a `LineRow`, from the relations of `LINE_JOINS`. */
export const LINE_COLUMNS = `${SAME}, t.id, h.id as fan_id, h.phone, t.outside_wallet,
  o.marketplace, o.price::text as asked, o.opened_at as asked_at,
  s.price::text as sold_for, s.opened_at as sold_from, s.closed_at as sold_at,
  c.signature, c.transaction, c.updated_at as claimed_at, c.client_id`;

/** The time of a change is taken before the chain is asked, by another process perhaps. */
const ABOUT = `l.closed_at + interval '10 seconds'`;

/** A transfer by this service closes a listing too: that is no sale. */
const GIVEN = `exists (select from custody_move m where m.permit_id = l.permit_id and m.kind = 'transfer' and m.state <> 'failed'
  and m.sent_at <= ${ABOUT} and (m.ended_at is null or m.ended_at >= l.closed_at))`;

/** A sale whose claim is open, or failed after all, because a fork dropped it. */
const UNDONE = `exists (select from claim cl where cl.permit_id = l.permit_id and cl.created_at <= ${ABOUT}
  and (cl.state in ('pending', 'submitted') or cl.state = 'failed' and cl.updated_at >= l.closed_at))`;

/** SQL: what a line needs beside the ticket `t`. */
export const LINE_JOINS = `join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  join permit p on p.ticket_id = t.id left join fan h on h.id = t.owner_id
  left join lateral (${openListingOf('p.id')}) o on true
  left join lateral (select * from listing l where l.permit_id = p.id and l.outcome = 'sold' and not (${GIVEN} or ${UNDONE})
    order by l.id desc limit 1) s on true
  left join lateral (select cl.*, g.client_id from claim cl join consent_grant g on g.id = cl.grant_id
    where cl.permit_id = p.id and cl.state = 'confirmed' order by cl.id desc limit 1) c on true`;

export type LineRow = Pick<
  TicketLine,
  'ticket' | 'event' | 'ticket_type' | 'label' | 'status' | 'used_at' | 'onchain' | 'at'
> & {
  id: Uuid;
  fan_id: Uuid | null;
  phone: string | null;
  outside_wallet: string | null;
  marketplace: string | null;
  asked: string;
  asked_at: Date;
  sold_for: string | null;
  sold_from: Date;
  sold_at: Date;
  signature: string | null;
  /** Hex. */
  transaction: string;
  claimed_at: Date;
  client_id: Uuid;
};

export function lineOf(row: LineRow): TicketLine {
  const { ticket, event, ticket_type, label, status, used_at, onchain, at } = row;
  return {
    ticket,
    event,
    ticket_type,
    label,
    id: idOf('tkt', row.id),
    holder: holderOf(row),
    status,
    used_at,
    onchain,
    listing: row.marketplace === null ? null : { marketplace: row.marketplace, price: row.asked, at: row.asked_at },
    sale: saleOf(row),
    at,
  };
}

function holderOf({ fan_id: fan, phone, outside_wallet: wallet }: LineRow): TicketLine['holder'] {
  if (fan !== null) return { fan_id: idOf('usr', fan), phone };
  return wallet === null ? null : { wallet };
}

/**
 * A claim names its price, and is the last sale unless a later listing was sold. Where nobody has seen the listing of a quick sale, there
 * is only the claim; where somebody else submitted the transfer, only the listing.
 */
function saleOf(row: LineRow): TicketLine['sale'] {
  const { sold_for: asked, signature } = row;
  if (signature !== null && (asked === null || row.claimed_at >= row.sold_from)) {
    const terms = termsOf(row.transaction);
    const price = terms?.price ?? asked;
    // a transfer of a permit that was not on sale names no listing
    if (price !== null && terms?.listing !== 0n) {
      const client = idOf('client', row.client_id);
      return { at: row.claimed_at, price: String(price), client_id: client, transfer_id: signature };
    }
  }
  return asked === null ? null : { at: row.sold_at, price: asked, client_id: null, transfer_id: null };
}

const TRANSFER = 'transfer_permit_v1';

/** What a claimed transfer names; undefined for one from before transfers named their listing. */
function termsOf(transaction: string): { listing: bigint; price: bigint } | undefined {
  const { instructions } = parseTransaction(Buffer.from(transaction, 'hex'));
  const data = instructions.find((instruction) => instructionNameOf(instruction.data) === TRANSFER)?.data;
  return data?.length === instructionDataLength(TRANSFER) ? decodeArgs(TRANSFER, data) : undefined;
}
