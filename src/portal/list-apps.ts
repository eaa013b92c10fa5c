import { lastUseOf } from '../activity/last-use.ts';
import { logoPath } from '../client/read-client-logo.ts';
import {
  TICKET_OPTION_COLUMNS,
  type TicketOption,
  type TicketOptionRow,
  toTicketOption,
} from '../consent/ticket-option.ts';
import type { Context } from '../context.ts';
import { prepared, preparedWithDates } from '../database/prepared.ts';
import type { GrantMode } from '../entities/consent-grant.ts';
import type { Mode } from '../entities/mode.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { AUTHORIZATION_CODE_LIFETIME, after } from '../oauth/lifetimes.ts';
import { TICKET_ORDER } from '../ticket/future-tickets.ts';

/** The present access of an app. A fan who signed in twice may have given it two. */
export interface AppAccess {
  grantId: Id<'grant'>;
  clientName: string;
  /** Path below LOGIN_URL; null without a logo. */
  logo: string | null;
  partnerName: string;
  mode: Mode;
  actions: string[];
  grantMode: GrantMode;
  /** The future tickets of a `selected` grant, in the order of the Fan API; empty otherwise. */
  tickets: TicketOption[];
  since: Date;
  /** Of the last successful call of the Fan API within 30 days. */
  lastUsedAt: Date | null;
}

interface AccessRow {
  id: Uuid;
  client_id: Uuid;
  client_name: string;
  logo_hash: string | null;
  partner_name: string;
  mode: Mode;
  actions: string[];
  grant_mode: GrantMode;
  ticket_ids: Uuid[];
  created_at: Date;
}

/** A grant that was not revoked is still over once its code, its access tokens and its refresh token have expired. */
const readAccess = preparedWithDates<AccessRow>(`
  select g.id, g.client_id, c.name as client_name, l.hash as logo_hash, p.name as partner_name, c.mode, g.actions, g.mode as grant_mode, g.ticket_ids,
    g.created_at
  from consent_grant g join client c on c.id = g.client_id join partner p on p.id = c.partner_id
    left join client_logo l on l.client_id = g.client_id
  where g.fan_id = $1 and g.revoked_at is null
    and (g.created_at > $2 or exists (
      select from refresh_token_family f where f.grant_id = g.id and f.revoked_at is null and f.expires_at > $3))
  order by g.created_at desc, g.id desc`);

const readTickets = prepared<TicketOptionRow>(`
  select ${TICKET_OPTION_COLUMNS}
  from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  where t.id = any($1) and t.owner_id = $2 and e.ends_at > $3
  order by ${TICKET_ORDER}`);

/** Every app with access at the moment, the newest access first. */
export async function listApps(
  { pool, now, config }: Pick<Context, 'pool' | 'now' | 'config'>,
  fanId: Id<'usr'>,
): Promise<AppAccess[]> {
  const fan = uuidOf('usr', fanId);
  const lastToken = after(now(), -config.accessTokenTtl);
  const rows = await readAccess(pool, [fan, after(lastToken, -AUTHORIZATION_CODE_LIFETIME), lastToken]);
  const selected = [...new Set(rows.flatMap((row) => (row.grant_mode === 'selected' ? row.ticket_ids : [])))];
  const tickets = selected.length === 0 ? [] : await readTickets(pool, [selected, fan, now()]);
  const grantIds = rows.map(({ id }) => idOf('grant', id));
  const lastUse = await lastUseOf({ pool }, grantIds);
  return rows.map((row) => ({
    grantId: idOf('grant', row.id),
    clientName: row.client_name,
    logo: row.logo_hash === null ? null : logoPath(idOf('client', row.client_id), row.logo_hash),
    partnerName: row.partner_name,
    mode: row.mode,
    actions: row.actions,
    grantMode: row.grant_mode,
    tickets: tickets
      .filter(({ id }) => row.grant_mode === 'selected' && row.ticket_ids.includes(id))
      .map(toTicketOption),
    since: row.created_at,
    lastUsedAt: lastUse.get(idOf('grant', row.id)) ?? null,
  }));
}
