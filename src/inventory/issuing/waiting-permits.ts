import { filterOnly } from '../../platform/database/filter-only.ts';
import { growingPause } from '../../platform/database/growing-pause.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { INSERT_AUDIT, sqlAction } from '../../record/audit/record-audit.ts';
import { openListingOf } from '../../tickets/listing/sales.ts';

/** Statements about the queue of permits that are to be issued or closed. `$1` is the mode, unless said otherwise. */

/** A permit that was taken from the queue. */
export interface TakenPermit {
  id: Uuid;
  /** Of the Permit account. */
  address: string;
  ticket_id: string;
  /** Of the Event account. */
  event: string;
  /** Whether the event is stored as registered on the chain. */
  registered: boolean;
  /** Whether it is still to be done: issued unless it is revoked, used, issued or of a closed event meanwhile; closed unless it is. */
  wanted: boolean;
  /** Why it can't be closed yet; null where nothing keeps it, and of one to issue. */
  kept: string | null;
  /** The holder's wallet; null where there is no holder, or no wallet. */
  owner: string | null;
  together: number | null;
}

/** Seconds that a process has for a permit before others take it, also after a crash. */
export const LEASE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 900;
/** Of the reason why a permit waits. */
export const REASON_LENGTH = 300;

/** SQL over the queue `w`: whether no app may list the ticket yet, so that its permit is not issued. */
export const IS_UNNEEDED = '(w.retry_at is null)';

/** Whether any is due. `$2` now, `$3` whether to be closed. */
export const isAnyDue = prepared<{ due: boolean }>(`
  select exists (select from waiting_permit where mode = $1 and closes = $3 and signature is null and retry_at <= $2) as due`);

/** A permit is closed once the database knows its last state: nobody could read it afterwards. */
const KEPT = `case
    when exists (select from claim c where c.permit_id = p.id and (c.state in ('pending', 'submitted') or c.unfinal_slot is not null))
      then 'a claim of it is under way'
    when exists (select from custody_move m where m.permit_id = p.id and ${filterOnly(`m.state = 'open'`)}) then 'it is being moved'
    when exists (${openListingOf('p.id')}) then 'it is on sale'
  end`;

/**
 * Takes those that are due until `$4`, longest waiting first; concurrent processes take different ones. `$2` now, `$3` how many, `$5`
 * whether to be closed. An array of ids: joined, the whole queue would be read for each of them while PostgreSQL still believes it empty.
 */
export const takeWaiting = prepared<TakenPermit>(`
  with due as (
    select permit_id from waiting_permit where mode = $1 and closes = $5 and signature is null and retry_at <= $2
    order by retry_at limit $3 for update skip locked
  ), taken as (
    update waiting_permit w set retry_at = $4 where w.permit_id = any(array(select permit_id from due))
    returning w.permit_id, w.together, w.closes
  )
  select taken.permit_id as id, p.tix_permit_id as address, t.tix_ticket_id as ticket_id, e.tix_event_id as event,
    e.registered_at is not null as registered, w.address as owner, taken.together,
    case when taken.closes then p.closed_at is null
      else p.revoked_at is null and p.issued_at is null and e.closed_at is null and t.status <> 'used' end as wanted,
    case when taken.closes then ${KEPT} end as kept
  from taken join permit p on p.id = taken.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
    left join wallet w on w.fan_id = t.owner_id`);

/** Gives those back that are still taken until `$3`, to be taken at `$2`. `$1` their ids. */
export const giveBackWaiting = prepared(
  'update waiting_permit set retry_at = $2 where permit_id = any($1) and signature is null and retry_at = $3',
);

/** Lets others wait until `$2`. `$1` their ids. */
export const postponeWaiting = prepared(
  'update waiting_permit set retry_at = $2 where permit_id = any($1) and signature is null',
);

/** Ends the wait of those for which nothing is left to do. `$1` their ids. */
export const dropWaiting = prepared('delete from waiting_permit where permit_id = any($1) and signature is null');

/** Marks those as issued whose account is there. `$1` their ids, `$2` now. */
export const markIssued = prepared('update permit set issued_at = $2 where id = any($1) and issued_at is null');

/** Lets the permits of a transaction that has ended be taken at `$2`. `$1` its signature. */
export const releaseCarried = prepared(
  'update waiting_permit set signature = null, retry_at = $2 where signature = $1',
);

/** Marks permits as not issued. `$1` their ids, `$2` now, `$3` the signature, `$4` the request. */
export const undoIssued = prepared(`
  with undone as (
    update permit set issued_at = null where id = any($1) and issued_at is not null returning tix_permit_id
  )
  ${INSERT_AUDIT}
  select $2, 'system', ${sqlAction('permit.issue_undone')}, undone.tix_permit_id, jsonb_build_object('transaction', $3::text), $4
  from undone`);

/** A permit that was set aside. */
export interface SetAside {
  /** Of the Permit account. */
  address: string;
  reason: string;
  tries: number;
}

/** Sets permits aside, each with its reason, for a pause that grows. `$1` JSON of `{ id, reason }`, `$2` now. */
export const setAside = prepared<SetAside>(`
  with given as (select * from jsonb_to_recordset($1::jsonb) as g(id uuid, reason text))
  update waiting_permit w set reason = given.reason, tries = w.tries + 1,
    retry_at = $2::timestamptz + ${growingPause('w.tries', LONGEST_PAUSE_SECONDS)}
  from given join permit p on p.id = given.id
  where w.permit_id = given.id and w.signature is null
  returning p.tix_permit_id as address, w.reason, w.tries`);

/**
 * Releases the permits of a transaction that was refused: halves of it are tried, until the bad permit is alone; that one is set
 * aside. One that was alone from the start is tried once more at once, with the units that an address with lamports takes. `$1` signature,
 * `$2` now, `$3` reason.
 */
export const splitCarried = prepared<SetAside>(`
  with carried as (
    select permit_id, count(*) over () as size, count(*) over () = 1 and together is not null as is_bad
    from waiting_permit where signature = $1
  ), released as (
    update waiting_permit w set signature = null, reason = $3, together = (size + 1) / 2,
      tries = w.tries + case when is_bad then 1 else 0 end,
      retry_at = case when is_bad then $2::timestamptz + ${growingPause('w.tries', LONGEST_PAUSE_SECONDS)} else $2 end
    from carried where w.permit_id = carried.permit_id returning w.permit_id, w.reason, w.tries, is_bad
  )
  select p.tix_permit_id as address, r.reason, r.tries from released r join permit p on p.id = r.permit_id where is_bad`);

/** Lets what was set aside be tried now. `$2` now. */
export const retrySetAside = prepared(
  'update waiting_permit set retry_at = $2 where mode = $1 and signature is null and tries > 0 and retry_at > $2',
);

/** An event turned out to be missing on the chain: it is registered again. `$1` addresses of Event accounts. */
export const forgetEvents = prepared(
  'update event set registered_at = null where tix_event_id = any($1) and closed_at is null',
);

/**
 * SQL that marks permits as closed, after a `with` that has `gone`: `permit_id`, and the lamports that came back. `$2` now. Nothing is
 * left to read of them on the chain.
 */
export const MARK_CLOSED = `
  marked as (
    update permit p set closed_at = $2, returned = round(gone.lamports) from gone
    where p.id = gone.permit_id and p.closed_at is null returning p.id
  ), unread as (
    delete from unread_permit u using marked where u.permit_id = marked.id
  ), unfinal as (
    delete from unfinal_permit u using marked where u.permit_id = marked.id
  )`;

/** Marks permits as closed that have no account, and ends their wait. `$1` their ids, `$2` now. */
export const markGone = prepared(`
  with gone as (
    delete from waiting_permit where permit_id = any($1) and signature is null returning permit_id, 0 as lamports
  ), ${MARK_CLOSED}
  select from marked`);
