import type { GrantMode } from '../../entities/consent-grant.ts';
import { grantEnd } from '../../oauth/grant/end-expired-grants.ts';
import { logoPath } from '../../partners/client/client-logo.ts';
import type { SqlContext, WithConfig } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { after, DAY } from '../../platform/time.ts';
import { lastUseOf } from '../../record/activity/last-use.ts';
import { grantedTickets } from '../consent/granted-tickets.ts';
import type { TicketOption } from '../consent/ticket-option.ts';

/** An app with access at the moment: one client. */
export interface AppAccess {
  clientId: Id<'client'>;
  clientName: string;
  /** Path below LOGIN_URL; null without a logo. */
  logo: string | null;
  partnerName: string;
  mode: Mode;
  /** How often the fan signed in with it: the number of its grants. */
  signIns: number;
  /** The newest first. */
  access: Access[];
}

/** Grants of one app that permit the same. */
export interface Access {
  /** The newest first, at most `MOST_GRANTS`. */
  grantIds: Id<'grant'>[];
  /** Each action of the consent, and whether the fan has it turned on. */
  actions: { name: string; isOn: boolean }[];
  grantMode: GrantMode;
  /** The future tickets of `selected` grants, in the order of the Fan API; empty otherwise. */
  tickets: TicketOption[];
  firstSignIn: Date;
  lastSignIn: Date;
  /** When the app last called the Fan API successfully; null if not as far as the request log goes back. */
  lastUsedAt: Date | null;
  /** Whether the app has made no call since the first sign-in; false where the request log does not reach back so far. */
  isUnused: boolean;
}

/** The most grants of an `Access`: a fan's change names all of them in one request. Further grants form another `Access`. */
export const MOST_GRANTS = 500;

interface GrantRow extends Pick<AppAccess, 'clientName' | 'partnerName' | 'mode'>, Pick<Access, 'grantMode'> {
  id: Uuid;
  client_id: Uuid;
  logo_hash: string | null;
  actions: string[];
  consented_actions: string[];
  ticket_ids: Uuid[];
  created_at: Date;
}

/** A grant whose last token has expired is left out, even before the job has ended it. */
const readGrants = preparedWithDates<GrantRow>(`
  select g.id, g.client_id, c.name as "clientName", l.hash as logo_hash, p.name as "partnerName", c.mode, g.actions,
    g.consented_actions, g.mode as "grantMode", g.ticket_ids, g.created_at
  from consent_grant g join client c on c.id = g.client_id join partner p on p.id = c.partner_id
    left join client_logo l on l.client_id = g.client_id
  where g.fan_id = $1 and g.revoked_at is null and ${grantEnd('$3')} > $2
  order by g.created_at desc, g.id desc`);

/** Every app with access at the moment, the newest sign-in first. */
export async function listApps(context: SqlContext & WithConfig, fanId: Id<'usr'>): Promise<AppAccess[]> {
  const { pool, now, config } = context;
  const rows = await readGrants(pool, [uuidOf('usr', fanId), now(), config.accessTokenTtl]);
  const selected = [...new Set(rows.flatMap((row) => (row.grantMode === 'selected' ? row.ticket_ids : [])))];
  const tickets = await grantedTickets(context, fanId, selected);
  const lastUse = await lastUseOf(
    context,
    rows.map(({ id }) => idOf('grant', id)),
  );
  const logSince = after(now(), -config.requestLog.days * DAY);
  return [...Map.groupBy(rows, (row) => row.client_id).values()].map((ofClient) => ({
    ...describeClient(ofClient),
    signIns: ofClient.length,
    access: alike(ofClient, tickets).map((grants) => describeAccess(grants, tickets, lastUse, logSince)),
  }));
}

function describeClient([row]: GrantRow[]): Omit<AppAccess, 'signIns' | 'access'> {
  if (!row) throw new Error('an app has a grant');
  const { clientName, partnerName, mode } = row;
  const clientId = idOf('client', row.client_id);
  const logo = row.logo_hash === null ? null : logoPath(clientId, row.logo_hash);
  return { clientId, clientName, logo, partnerName, mode };
}

type Tickets = ReadonlyMap<Uuid, TicketOption>;

/** Groups grants between which the fan sees no difference. */
function alike(rows: GrantRow[], tickets: Tickets): GrantRow[][] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([
      row.consented_actions.toSorted(),
      row.actions.toSorted(),
      row.grantMode,
      ticketsOf(row, tickets).map(({ id }) => id),
    ]),
  );
  return [...groups.values()].flatMap((group) => {
    const parts = Math.ceil(group.length / MOST_GRANTS);
    return Array.from({ length: parts }, (_, part) => group.slice(part * MOST_GRANTS, (part + 1) * MOST_GRANTS));
  });
}

function ticketsOf(row: GrantRow, tickets: Tickets): TicketOption[] {
  if (row.grantMode !== 'selected') return [];
  const granted = new Set(row.ticket_ids);
  return [...tickets].filter(([uuid]) => granted.has(uuid)).map(([, ticket]) => ticket);
}

function describeAccess(grants: GrantRow[], tickets: Tickets, lastUse: Map<Id<'grant'>, Date>, logSince: Date): Access {
  const [newest] = grants;
  const oldest = grants.at(-1);
  if (!newest || !oldest) throw new Error('a group has a grant');
  const grantIds = grants.map(({ id }) => idOf('grant', id));
  const uses = grantIds.flatMap((id) => lastUse.get(id)?.getTime() ?? []);
  return {
    grantIds,
    actions: newest.consented_actions.map((name) => ({ name, isOn: newest.actions.includes(name) })),
    grantMode: newest.grantMode,
    tickets: ticketsOf(newest, tickets),
    firstSignIn: oldest.created_at,
    lastSignIn: newest.created_at,
    lastUsedAt: uses.length === 0 ? null : new Date(Math.max(...uses)),
    isUnused: uses.length === 0 && oldest.created_at > logSince,
  };
}
