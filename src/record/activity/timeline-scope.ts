import type { Context } from '../../platform/context.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import type { Subject } from './subject.ts';

/** Which rows belong to a timeline. */
export interface Scope {
  clients: Uuid[];
  grants: Uuid[];
  fans: Uuid[];
  sessions: Uuid[];
  requests: Uuid[];
  /** With their signatures, listings and claims. */
  permits: Uuid[];
  claims: Uuid[];
  /** As audit entries write them. */
  auditSubjects: string[];
  auditActors: string[];
  /** The timeline is limited to this period. */
  from: Date | undefined;
  to: Date | undefined;
}

type Found = Partial<Scope>;

/** Most related rows of one kind per subject, the newest first. */
const MOST = 100;
/** Seconds around a request, and around the beginning and end of a claim. */
const AROUND_REQUEST = 15 * 60;
const AROUND_CLAIM = 2 * 60;

const readRequest = preparedWithDates<{ at: Date; session_id: Uuid | null; grant_id: Uuid | null }>(
  'select at, session_id, grant_id from request_log where id = $1',
);
/** The 21st next request of a grant: a busy grant's timeline ends there, so that the wanted request is easy to find. */
const nextOfGrants = preparedWithDates<{ at: Date }>(
  `select at from request_log where grant_id = any($1) and at > $2 order by at limit 1 offset 20`,
);
/** A sign-in and its grant are related by the request in which the fan consented. */
const grantsOfSessions = prepared<{ grant: Id<'grant'> }>(`
  select a.subject as "grant" from request_log r join audit_entry a on a.request_id = r.id::text
  where r.session_id = any($1) and r.operation = 'login.consent.grant' and a.action = 'grant.given' limit ${MOST}`);
const sessionsOfGrants = prepared<{ id: Uuid }>(`
  select r.session_id as id from audit_entry a
    join request_log r on r.id = case when a.request_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then a.request_id::uuid end
  where a.subject = any($1) and a.action = 'grant.given' and r.session_id is not null limit ${MOST}`);
const grantsOfFan = prepared<{ id: Uuid }>(
  `select id from consent_grant where fan_id = $1 order by id desc limit ${MOST}`,
);
const sessionsOfFan = prepared<{ id: Uuid }>(
  `select id from authorization_session where fan_id = $1 order by id desc limit ${MOST}`,
);
const permitsOfFan = prepared<{ id: Uuid }>(
  `select p.id from ticket t join permit p on p.ticket_id = t.id where t.owner_id = $1 order by t.id desc limit ${MOST}`,
);
const clientsOfPartner = prepared<{ id: Uuid }>(
  `select id from client where partner_id = $1 order by id desc limit ${MOST}`,
);
const permitOf = prepared<{ id: Uuid; ticket_id: Uuid; tix_permit_id: string; signatures: string[] }>(`
  select p.id, p.ticket_id, p.tix_permit_id,
    array(select signature from claim where permit_id = p.id order by id desc limit ${MOST}) as signatures
  from permit p where p.id = $1 or p.ticket_id = $1 or p.id = (select permit_id from listing where id = $1)`);
const readClaim = preparedWithDates<{ signature: string; grant_id: Uuid; created_at: Date; updated_at: Date }>(
  'select signature, grant_id, created_at, updated_at from claim where id = $1',
);

/** The scope of a subject: itself and what is related to it. */
export async function scopeOf({ pool }: Pick<Context, 'pool'>, { kind, id }: Subject): Promise<Found> {
  switch (kind) {
    case 'request':
      return scopeOfRequest(pool, id);
    case 'session':
      return withGrants(await grantUuids(pool, [uuidOf('sess', id)]), { sessions: [uuidOf('sess', id)] });
    case 'grant':
      return withGrants([uuidOf('grant', id)], { sessions: await sessionUuids(pool, [uuidOf('grant', id)]) });
    case 'fan':
      return scopeOfFan(pool, id);
    case 'client':
      return { clients: [uuidOf('client', id)], auditSubjects: [id], auditActors: [`client:${id}`] };
    case 'partner': {
      const clients = uuids(await clientsOfPartner(pool, [uuidOf('ptn', id)]));
      return { clients, auditSubjects: [id, ...clients.map((client) => idOf('client', client))] };
    }
    case 'ticket':
      return scopeOfPermit(pool, uuidOf('tkt', id), id);
    case 'permit':
      return scopeOfPermit(pool, uuidOf('perm', id), id);
    case 'listing':
      return scopeOfPermit(pool, uuidOf('lst', id), id);
    case 'claim':
      return scopeOfClaim(pool, id);
    case 'event':
    case 'import':
      return { auditSubjects: [id] };
  }
}

/** With the actions of its session and grant around it. */
async function scopeOfRequest(pool: Context['pool'], id: Uuid): Promise<Found> {
  const [request] = await readRequest(pool, [id]);
  if (!request) return { requests: [id] };
  const { session_id: session, grant_id: grant } = request;
  const [grants, sessions] = await Promise.all([
    grant === null ? grantUuids(pool, session === null ? [] : [session]) : [grant],
    session === null && grant !== null ? sessionUuids(pool, [grant]) : [session ?? []].flat(),
  ]);
  const [next] = await nextOfGrants(pool, [grants, request.at]);
  const to = after(request.at, AROUND_REQUEST);
  return withGrants(grants, {
    requests: [id],
    sessions,
    from: after(request.at, -AROUND_REQUEST),
    to: next !== undefined && next.at < to ? next.at : to,
  });
}

async function scopeOfFan(pool: Context['pool'], id: Id<'usr'>): Promise<Found> {
  const fan = uuidOf('usr', id);
  const [grants, sessions, permits] = await Promise.all([
    grantsOfFan(pool, [fan]).then(uuids),
    sessionsOfFan(pool, [fan]).then(uuids),
    permitsOfFan(pool, [fan]).then(uuids),
  ]);
  const earlier = await sessionUuids(pool, grants);
  const found = withGrants(grants, { sessions: [...new Set([...sessions, ...earlier])], fans: [fan], permits });
  return { ...found, auditSubjects: [...(found.auditSubjects ?? []), id], auditActors: [`fan:${id}`] };
}

async function scopeOfPermit(pool: Context['pool'], uuid: Uuid, id: string): Promise<Found> {
  const [permit] = await permitOf(pool, [uuid]);
  if (!permit) return { auditSubjects: [id] };
  const names = [idOf('perm', permit.id), idOf('tkt', permit.ticket_id), permit.tix_permit_id, ...permit.signatures];
  return { permits: [permit.id], auditSubjects: names };
}

async function scopeOfClaim(pool: Context['pool'], id: Id<'clm'>): Promise<Found> {
  const [claim] = await readClaim(pool, [uuidOf('clm', id)]);
  if (!claim) return {};
  return {
    claims: [uuidOf('clm', id)],
    grants: [claim.grant_id],
    auditSubjects: [claim.signature],
    from: after(claim.created_at, -AROUND_CLAIM),
    to: after(claim.updated_at, AROUND_CLAIM),
  };
}

async function grantUuids(pool: Context['pool'], sessions: Uuid[]): Promise<Uuid[]> {
  const found = sessions.length === 0 ? [] : await grantsOfSessions(pool, [sessions]);
  return found.map(({ grant }) => uuidOf('grant', grant));
}

async function sessionUuids(pool: Context['pool'], grants: Uuid[]): Promise<Uuid[]> {
  return uuids(await sessionsOfGrants(pool, [grants.map((grant) => idOf('grant', grant))]));
}

function withGrants(grants: Uuid[], found: Found): Found {
  return { ...found, grants, auditSubjects: grants.map((grant) => idOf('grant', grant)) };
}

function uuids(rows: { id: Uuid }[]): Uuid[] {
  return rows.map(({ id }) => id);
}
