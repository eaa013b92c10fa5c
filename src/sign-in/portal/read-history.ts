import type { CLAIM_STATES } from '../../entities/claim.ts';
import type { GrantMode } from '../../entities/consent-grant.ts';
import type { SaleEndCause } from '../../entities/ended-access.ts';
import type { SqlContext } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { refusedAttempts } from '../../record/activity/last-use.ts';
import { GRANT_DETAILS, type NarrowingReason } from '../../record/audit/audit-actions.ts';
import { isSaleOf, signatureOf } from '../../tickets/listing/sales.ts';

/** What was done in a fan's name, or with what the fan granted. The page writes the sentence. */
export interface HistoryEntry {
  at: Date;
  /** The app; null for what the service itself has moved. */
  clientName: string | null;
  mode: Mode | null;
  fact: HistoryFact;
  /** How many of the app's sign-ins it concerns: a change of several at the same moment is one entry. */
  signIns: number;
}

export interface HistoryPage {
  /** The newest first. */
  entries: HistoryEntry[];
  /** `before` of the next page; null where there is none. */
  before: Date | null;
}

const PAGE = 50;

interface GrantRow {
  id: Uuid;
  client_id: Uuid;
  client_name: string;
  mode: Mode;
}

const readGrants = preparedWithDates<GrantRow>(
  'select g.id, g.client_id, c.name as client_name, c.mode from consent_grant g join client c on c.id = g.client_id where g.fan_id = $1',
);

const readAudit = preparedWithDates<{
  at: Date;
  subject: Id<'grant'>;
  actor: string;
  action: string;
  details: object;
}>(`
  select at, subject, actor, action, details from audit_entry
  where subject = any($1) and action like 'grant.%' and at < $2 order by at desc fetch first $3 rows with ties`);

/** Names of the row's event and ticket type, and its grant. */
interface TicketRow {
  at: Date;
  grant: Uuid;
  eventName: string;
  ticketTypeName: string;
}

const TICKET_COLUMNS = `x.grant_id as "grant", e.name as "eventName", concat_ws(' · ', tt.name, t.label) as "ticketTypeName"`;
const OF_TICKET = `join permit p on p.id = x.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id`;

interface SignedRow extends TicketRow {
  action: 'list' | 'cancel';
  sentence: string;
  /** Lamports; null where a listing is cancelled. */
  price: string | null;
  /** Whether it was on sale so. */
  landed: boolean;
}

const readSignatures = preparedWithDates<SignedRow>(`
  select x.signed_at as at, x.action, x.sentence, substring(x.sentence from ' for (\\d+) lamports ') as price,
    exists (
      select from listing l where l.permit_id = x.permit_id and ${isSaleOf('x', 'l', 'p')}
    ) as landed, ${TICKET_COLUMNS}
  from listing_signature x ${OF_TICKET}
  where x.grant_id = any($1) and x.signed_at < $2 order by x.signed_at desc fetch first $3 rows with ties`);

interface SaleEndRow extends TicketRow {
  outcome: 'cancelled' | 'sold';
  /** Lamports. */
  price: string;
  /** Why it was being taken off sale at that moment; null where it was not. */
  cause: SaleEndCause | null;
}

/** The ends of what was put on sale in the fan's name. */
const readSaleEnds = preparedWithDates<SaleEndRow>(`
  select x.closed_at as at, x.outcome, x.price::text as price, s.grant_id as "grant", e.name as "eventName",
    concat_ws(' · ', tt.name, t.label) as "ticketTypeName", (
      select m.cause from custody_move m
      where m.permit_id = p.id and m.kind = 'close_listing' and m.created_at <= x.closed_at
        and coalesce(m.ended_at, 'infinity') >= x.closed_at
      order by m.created_at desc limit 1) as cause
  from (select distinct permit_id from listing_signature where grant_id = any($1) and action = 'list') signed
    join listing x on x.permit_id = signed.permit_id and x.closed_at < $2 ${OF_TICKET}
    cross join lateral (${signatureOf('x', 'p')}) s
  where s.grant_id = any($1) order by x.closed_at desc fetch first $3 rows with ties`);

const readClaims = preparedWithDates<TicketRow & { state: (typeof CLAIM_STATES)[number] }>(`
  select x.created_at as at, x.state, ${TICKET_COLUMNS} from claim x ${OF_TICKET}
  where x.grant_id = any($1) and x.created_at < $2 order by x.created_at desc fetch first $3 rows with ties`);

/** The tickets that this service has moved out of the fan's wallet, or into it. */
const readMoves = preparedWithDates<Omit<TicketRow, 'grant'> & { way: 'out' | 'given' | 'received'; wallet: string }>(`
  select x.ended_at as at, x.destination as wallet, e.name as "eventName", concat_ws(' · ', tt.name, t.label) as "ticketTypeName",
    case when x.to_fan_id = $1 then 'received' when x.to_fan_id is null then 'out' else 'given' end as way
  from custody_move x ${OF_TICKET}
  where (x.from_fan_id = $1 or x.to_fan_id = $1) and x.kind = 'transfer' and x.state = 'done' and x.ended_at < $2
  order by x.ended_at desc fetch first $3 rows with ties`);

interface GrantFact {
  at: Date;
  /** Null where no app is concerned. */
  grant: Uuid | null;
  fact: HistoryFact | undefined;
}

/**
 * The history of a fan: grants given, changed and ended, co-signed listings, claims, tickets moved by this service, refused calls.
 * @param before exclusive; undefined for the newest
 */
export async function readHistory({ pool, now }: SqlContext, fanId: Id<'usr'>, before?: Date): Promise<HistoryPage> {
  const grants = new Map((await readGrants(pool, [uuidOf('usr', fanId)])).map((grant) => [grant.id, grant]));
  const uuids = [...grants.keys()];
  const grantIds = uuids.map((uuid) => idOf('grant', uuid));
  const until = before ?? new Date(now().getTime() + 1);
  const limit = PAGE + 1;
  const [audits, signatures, saleEnds, claims, moves, refused] = await Promise.all([
    readAudit(pool, [grantIds, until, limit]),
    readSignatures(pool, [uuids, until, limit]),
    readSaleEnds(pool, [uuids, until, limit]),
    readClaims(pool, [uuids, until, limit]),
    readMoves(pool, [uuidOf('usr', fanId), until, limit]),
    refusedAttempts({ pool }, grantIds, { before: until, limit }),
  ]);
  const found: GrantFact[] = [
    ...audits.map(({ at, subject, actor, action, details }) => ({
      at,
      grant: uuidOf('grant', subject),
      fact: historyFactOf(action, actor, details),
    })),
    ...signatures.map(({ at, grant, ...fact }) => ({ at, grant, fact: { kind: 'listing_signed' as const, ...fact } })),
    ...saleEnds.map(({ at, grant, ...fact }) => ({ at, grant, fact: { kind: 'sale_ended' as const, ...fact } })),
    ...claims.map(({ at, grant, ...fact }) => ({ at, grant, fact: { kind: 'claim' as const, ...fact } })),
    ...moves.map(({ at, ...fact }) => ({ at, grant: null, fact: { kind: 'moved' as const, ...fact } })),
    ...refused.map(({ at, grant, ...fact }) => ({
      at,
      grant: uuidOf('grant', grant),
      fact: { kind: 'refused' as const, ...fact },
    })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  // entries of the same moment stay on one page
  const last = found.length > PAGE ? found[PAGE - 1]?.at : undefined;
  const page = last === undefined ? found : found.filter(({ at }) => at >= last);
  return { entries: merge(page, grants), before: last ?? null };
}

/** One entry for the same change of several grants of an app at one moment; two if the same grant was changed so twice. Keeps the order. */
function merge(page: GrantFact[], grants: ReadonlyMap<Uuid, GrantRow>): HistoryEntry[] {
  const entries = new Map<string, HistoryEntry>();
  const seen = new Map<string, number>();
  for (const { at, grant, fact } of page) {
    const client = grant === null ? undefined : grants.get(grant);
    if (!fact || (grant !== null && !client)) continue;
    const told = JSON.stringify([at, client?.client_id, fact]);
    const times = seen.get(`${grant}${told}`) ?? 0;
    seen.set(`${grant}${told}`, times + 1);
    const key = JSON.stringify([told, times]);
    const same = entries.get(key);
    if (same) same.signIns += 1;
    else
      entries.set(key, { at, clientName: client?.client_name ?? null, mode: client?.mode ?? null, fact, signIns: 1 });
  }
  return [...entries.values()];
}

/** What happened, as data: the page has the texts in each language. */
export type HistoryFact =
  | { kind: 'granted'; actions: string[]; grantMode: GrantMode; tickets: number }
  | { kind: 'action_turned_off'; actions: string[] }
  | { kind: 'action_turned_on'; actions: string[] }
  | { kind: 'tickets_chosen'; grantMode: GrantMode; tickets: number }
  | { kind: 'tickets_left'; reason: NarrowingReason; tickets: number }
  | { kind: 'ended'; by: Ending }
  | ({ kind: 'listing_signed' } & Omit<SignedRow, 'at' | 'grant'>)
  | ({ kind: 'sale_ended' } & Omit<SaleEndRow, 'at' | 'grant'>)
  | { kind: 'claim'; state: (typeof CLAIM_STATES)[number]; eventName: string; ticketTypeName: string }
  /** `out`: to a wallet that is no fan's; `wallet` is its address in base58. */
  | { kind: 'moved'; way: 'out' | 'given' | 'received'; wallet: string; eventName: string; ticketTypeName: string }
  | { kind: 'refused'; operation: string; outcome: string; times: number };

/** `expiry`: the app did not renew its access. */
type Ending = 'fan' | 'app' | 'service' | 'expiry';

/** The fact of an audit entry; undefined for entries that fans do not see. */
export function historyFactOf(action: string, actor: string, details: unknown): HistoryFact | undefined {
  switch (action) {
    case 'grant.given': {
      const { actions, mode, tickets } = GRANT_DETAILS[action].parse(details);
      return { kind: 'granted', actions, grantMode: mode, tickets: tickets.length };
    }
    case 'grant.narrowed': {
      const narrowed = GRANT_DETAILS[action].parse(details);
      if ('reason' in narrowed)
        return { kind: 'tickets_left', reason: narrowed.reason, tickets: narrowed.tickets.length };
      return { kind: 'action_turned_off', actions: narrowed.actions };
    }
    case 'grant.widened':
      return { kind: 'action_turned_on', actions: GRANT_DETAILS[action].parse(details).actions };
    case 'grant.tickets_chosen': {
      const { mode, tickets } = GRANT_DETAILS[action].parse(details).after;
      return { kind: 'tickets_chosen', grantMode: mode, tickets: tickets.length };
    }
    case 'grant.revoked':
      return { kind: 'ended', by: endedBy(actor, details) };
    default:
      return undefined;
  }
}

/** The reason distinguishes app and service: where a client reuses a code or token, it is the actor, but the service ended the access. */
function endedBy(actor: string, details: unknown): Ending {
  if (actor.startsWith('fan:')) return 'fan';
  const reason = GRANT_DETAILS['grant.revoked'].safeParse(details).data?.reason;
  if (reason === 'expired') return 'expiry';
  return reason === 'revoked_by_client' ? 'app' : 'service';
}
