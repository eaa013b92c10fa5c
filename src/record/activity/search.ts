import type { Context } from '../../platform/context.ts';
import { type Prepared, prepared } from '../../platform/database/prepared.ts';
import { tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { maskPhone } from '../../platform/phone-number.ts';
import { plainDigits } from '../../platform/plain-digits.ts';
import { describeWithReason } from './operations.ts';
import { resolveSearch } from './resolve-search.ts';
import { SUBJECT_PREFIX, type Subject, type SubjectKind, subjectOf } from './subject.ts';

export type SearchHit = Subject & { title: string; subtitle: string };

/** `phone` is masked before it leaves this file. */
interface Described {
  id: Uuid;
  title: string;
  subtitle: string;
  phone?: string | null;
  /** Of a request. */
  operation?: string;
  outcome?: string;
  message?: string | null;
}

const MAX_HITS = 20;
const MIN_LETTERS = 2;

const OF_TICKET = `join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id`;

/** Title and subtitle of the subjects of each kind. */
const DESCRIBE: Record<SubjectKind, Prepared<Described>> = {
  client: prepared(`
    select c.id, c.name as title, concat('Client of ', p.name, ', ', c.mode, ', ', c.status) as subtitle
    from client c join partner p on p.id = c.partner_id where c.id = any($1)`),
  partner: prepared(`
    select p.id, p.name as title, concat('Partner with ', count(c.id), ' clients') as subtitle
    from partner p left join client c on c.partner_id = p.id where p.id = any($1) group by p.id`),
  fan: prepared(`
    select f.id, '' as title, f.phone, case when t.fan_id is null then concat('Fan, ', f.mode)
      else concat('Test user of ', coalesce(p.name, 'all partners')) end as subtitle
    from fan f left join test_user t on t.fan_id = f.id left join partner p on p.id = t.partner_id where f.id = any($1)`),
  grant: prepared(`
    select g.id, concat('Grant to ', c.name) as title, f.phone, concat(c.mode, ', since ',
      to_char(g.created_at at time zone 'utc', 'YYYY-MM-DD'), case when g.revoked_at is not null then ', revoked' end) as subtitle
    from consent_grant g join client c on c.id = g.client_id join fan f on f.id = g.fan_id where g.id = any($1)`),
  session: prepared(`
    select s.id, concat('Sign-in to ', c.name) as title, f.phone, concat(c.mode, ', step ', s.step) as subtitle
    from authorization_session s join client c on c.id = s.client_id left join fan f on f.id = s.fan_id
    where s.id = any($1)`),
  ticket: prepared(`
    select t.id, e.name as title, concat_ws(', ', 'Ticket', t.reference, tt.name, e.mode, nullif(t.status, 'valid')) as subtitle
    from ticket t ${OF_TICKET} where t.id = any($1)`),
  permit: prepared(`
    select p.id, e.name as title, concat('Permit, ', tt.name, ', ', e.mode, case when p.revoked_at is not null then ', revoked' end) as subtitle
    from permit p join ticket t on t.id = p.ticket_id ${OF_TICKET} where p.id = any($1)`),
  listing: prepared(`
    select l.id, e.name as title, concat('Listing, ', tt.name, ', ', coalesce(l.outcome, 'on sale')) as subtitle
    from listing l join permit p on p.id = l.permit_id join ticket t on t.id = p.ticket_id ${OF_TICKET} where l.id = any($1)`),
  claim: prepared(`
    select cl.id, e.name as title, concat('Claim, ', tt.name, ', ', cl.state) as subtitle
    from claim cl join permit p on p.id = cl.permit_id join ticket t on t.id = p.ticket_id ${OF_TICKET}
    where cl.id = any($1)`),
  event: prepared(`
    select id, name as title, concat_ws(', ', 'Event', reference, mode, to_char(starts_at at time zone 'utc', 'YYYY-MM-DD'),
      case when cancelled_at is not null then 'cancelled' end) as subtitle
    from event where id = any($1)`),
  import: prepared(`
    select id, coalesce(file_name, 'Import') as title, concat('Import run, ', state, ', ', lines, ' lines, ', failed, ' failed') as subtitle
    from import_run where id = any($1)`),
  request: prepared(`
    select r.id, '' as title, r.operation, r.outcome, r.message, concat('Request of ',
      to_char(r.at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS'), ' UTC', case when c.id is not null then ', ' || c.name end) as subtitle
    from request_log r left join client c on c.id = r.client_id where r.id = any($1)`),
};

const NAMED = {
  partner: prepared<{ id: Uuid }>(named('partner', 'name')),
  client: prepared<{ id: Uuid }>(named('client', 'name')),
  event: prepared<{ id: Uuid }>(named('event', 'name')),
  import: prepared<{ id: Uuid }>(named('import_run', 'file_name')),
};

const byReference = prepared<{ kind: 'ticket' | 'event'; id: Uuid }>(`
  select 'ticket' as kind, id from ticket where reference = $1
  union all select 'event', id from event where reference = $1`);

/** Test users by a part of their number; production fans are found by the whole number only. */
const testUsersByDigits = prepared<{ id: Uuid }>(
  `select id from (select t.fan_id as id, (select phone from fan where id = t.fan_id) as phone from test_user t) numbered
   where phone like $1 order by phone limit ${MAX_HITS}`,
);

/**
 * Finds what staff may mean by some letters: the subjects of `resolveSearch`, events and tickets by the company's references, partners,
 * clients, events and imported files by a part of their names, test users by a part of their numbers. At most 20, the best match first;
 * phones are masked.
 */
export async function search(context: Pick<Context, 'pool'>, text: string): Promise<SearchHit[]> {
  const { pool } = context;
  // PostgreSQL's text can't hold a NUL
  const wanted = text.replaceAll('\0', '').trim().slice(0, 100);
  if (wanted.length < MIN_LETTERS) return [];
  const subjects = await resolveSearch(context, wanted);
  const pattern = `%${wanted.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const digits = plainDigits(wanted).replaceAll(/\D/g, '');
  const byName = Object.entries(NAMED).map(async ([kind, statement]) =>
    (await statement(pool, [pattern, wanted])).map(({ id }) => subjectOf(kind as keyof typeof NAMED, id)),
  );
  const byDigits =
    digits.length >= 4 && /^[+\p{Nd}\s()./-]+$/u.test(wanted) ? await testUsersByDigits(pool, [`%${digits}%`]) : [];
  const referred = (await byReference(pool, [wanted])).map(({ kind, id }) => subjectOf(kind, id));
  const found = [
    ...subjects,
    ...referred,
    ...byDigits.map(({ id }) => subjectOf('fan', id)),
    ...(await Promise.all(byName)).flat(),
  ];
  const once = [...new Map(found.map((subject) => [subject.id, subject])).values()];
  return describeSubjects(context, once.slice(0, MAX_HITS));
}

/** Subjects with title and subtitle; those that do not exist are left out. */
export async function describeSubjects(
  { pool }: Pick<Context, 'pool'>,
  subjects: readonly Subject[],
): Promise<SearchHit[]> {
  const kinds = [...new Set(subjects.map(({ kind }) => kind))];
  const described = await Promise.all(
    kinds.map(async (kind) => {
      const ids = subjects.filter((subject) => subject.kind === kind).map(({ id }) => uuidOfSubject(kind, id));
      return (await DESCRIBE[kind](pool, [ids])).map((row) => toHit(kind, row));
    }),
  );
  const hits = new Map(described.flat().map((hit) => [hit.id, hit]));
  return subjects.flatMap(({ id }) => hits.get(id) ?? []);
}

function toHit(kind: SubjectKind, described: Described): SearchHit {
  const { id, title, subtitle, phone, operation = '', outcome = '', message = null } = described;
  const masked = phone ? maskPhone(phone) : '';
  if (kind === 'request') return { kind, id, title: describeWithReason(operation, outcome, message), subtitle };
  return {
    ...subjectOf(kind, id),
    title: title === '' ? masked : title,
    subtitle: title === '' || masked === '' ? subtitle : `${subtitle}, ${masked}`,
  };
}

function uuidOfSubject(kind: SubjectKind, id: string): Uuid | undefined {
  return kind === 'request' ? (id as Uuid) : tryUuidOf(SUBJECT_PREFIX[kind], id);
}

/** Names that begin with the text come first, then the newest. */
function named(table: string, column: string): string {
  // takes half the time of `ilike`
  return `select id from ${table} where ${column} is not null and lower(${column}) like lower($1)
    order by starts_with(lower(${column}), lower($2)) desc, id desc limit 8`;
}
