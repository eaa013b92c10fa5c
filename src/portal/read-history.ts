import { refusedAttempts } from '../activity/last-use.ts';
import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { Mode } from '../entities/mode.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { type HistoryFact, historyFactOf } from './history-fact.ts';

/** One thing that was done in a fan's name, or with what the fan granted. The page makes a sentence of it. */
export interface HistoryEntry {
  at: Date;
  clientName: string;
  mode: Mode;
  fact: HistoryFact;
}

export interface HistoryPage {
  /** The newest first. */
  entries: HistoryEntry[];
  /** What to ask for to see older ones; null where there are none. */
  before: Date | null;
}

const PAGE = 50;

interface GrantOfFan {
  id: Uuid;
  client_name: string;
  mode: Mode;
}

interface Found {
  at: Date;
  grant: Uuid;
  fact: HistoryFact | undefined;
}

const readGrants = prepared<GrantOfFan>(
  'select g.id, c.name as client_name, c.mode from consent_grant g join client c on c.id = g.client_id where g.fan_id = $1',
);

const readAudit = prepared<{ at: string; subject: Id<'grant'>; actor: string; action: string; details: object }>(`
  select at, subject, actor, action, details from audit_entry
  where subject = any($1) and action like 'grant.%' and at < $2 order by at desc fetch first $3 rows with ties`);

const readSignatures = prepared<{
  at: string;
  grant_id: Uuid;
  action: 'list' | 'cancel';
  sentence: string;
  event_name: string;
  ticket_type_name: string;
}>(`
  select s.signed_at as at, s.grant_id, s.action, s.sentence, e.name as event_name, tt.name as ticket_type_name
  from listing_signature s join permit p on p.id = s.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  where s.grant_id = any($1) and s.signed_at < $2 order by s.signed_at desc fetch first $3 rows with ties`);

const readClaims = prepared<{
  at: string;
  grant_id: Uuid;
  state: 'pending' | 'submitted' | 'confirmed' | 'failed';
  event_name: string;
  ticket_type_name: string;
}>(`
  select cl.created_at as at, cl.grant_id, cl.state, e.name as event_name, tt.name as ticket_type_name
  from claim cl join permit p on p.id = cl.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
  where cl.grant_id = any($1) and cl.created_at < $2 order by cl.created_at desc fetch first $3 rows with ties`);

/**
 * What was done in a fan's name: what was granted, changed and ended, co-signed listings, claims, refused attempts.
 * @param before only what is older; undefined begins with the newest
 */
export async function readHistory(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  fanId: Id<'usr'>,
  before?: Date,
): Promise<HistoryPage> {
  const grants = await readGrants(pool, [uuidOf('usr', fanId)]);
  const ids = grants.map(({ id }) => id);
  const grantIds = ids.map((id) => idOf('grant', id));
  const until = before ?? new Date(now().getTime() + 1);
  const window = [until, PAGE + 1];
  const sources: Found[][] = await Promise.all([
    readAudit(pool, [grantIds, ...window]).then((rows) =>
      rows.map(
        ({ at, subject, actor, action, details }): Found => ({
          at: new Date(at),
          grant: uuidOf('grant', subject),
          fact: historyFactOf(action, actor, details),
        }),
      ),
    ),
    readSignatures(pool, [ids, ...window]).then((rows) =>
      rows.map(
        ({ at, grant_id, action, sentence, event_name, ticket_type_name }): Found => ({
          at: new Date(at),
          grant: grant_id,
          fact: { kind: 'listing_signed', action, sentence, eventName: event_name, ticketTypeName: ticket_type_name },
        }),
      ),
    ),
    readClaims(pool, [ids, ...window]).then((rows) =>
      rows.map(
        ({ at, grant_id, state, event_name, ticket_type_name }): Found => ({
          at: new Date(at),
          grant: grant_id,
          fact: { kind: 'claim', state, eventName: event_name, ticketTypeName: ticket_type_name },
        }),
      ),
    ),
    refusedAttempts({ pool }, grantIds, { before: until, limit: PAGE + 1 }).then((refused) =>
      refused.map(
        ({ at, grant, ...attempts }): Found => ({
          at,
          grant: uuidOf('grant', grant),
          fact: { kind: 'refused', ...attempts },
        }),
      ),
    ),
  ]);
  const found = sources.flat().sort((a, b) => b.at.getTime() - a.at.getTime());
  // what happened at one moment stays on one page
  const last = found.length > PAGE ? found[PAGE - 1]?.at : undefined;
  const page = last === undefined ? found : found.filter(({ at }) => at >= last);
  return {
    entries: page.flatMap(({ at, grant, fact }) => {
      const given = grants.find(({ id }) => id === grant);
      return given && fact ? [{ at, clientName: given.client_name, mode: given.mode, fact }] : [];
    }),
    before: last ?? null,
  };
}
