import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { knownId } from '../identifier/known-id.ts';
import { uuidOf } from '../identifier/type-id.ts';

/** How many of each a reset of a partner's sandbox would end (`reset-sandbox.ts`). */
export interface SandboxContents {
  permits: number;
  grants: number;
  events: number;
  testUsers: number;
}

const count = prepared<{ permits: number; grants: number; events: number; test_users: number }>(`
  select
    (select count(*)::int from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
       join event e on e.id = tt.event_id
     where p.partner_id = $1 and p.revoked_at is null and e.mode = 'sandbox') as permits,
    (select count(*)::int from consent_grant
     where revoked_at is null and (client_id in (select id from client where partner_id = $1 and mode = 'sandbox')
       or fan_id in (select fan_id from test_user where partner_id = $1))) as grants,
    (select count(*)::int from event where mode = 'sandbox' and partner_id = $1 and ends_at > $2) as events,
    (select count(*)::int from test_user where partner_id = $1) as test_users`);

/** What a partner's sandbox holds. @throws DomainError `not_found` where the identifier is none */
export async function sandboxContents(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  partnerId: string,
): Promise<SandboxContents> {
  const [row] = await count(pool, [uuidOf('ptn', knownId('ptn', partnerId)), now()]);
  const { permits = 0, grants = 0, events = 0, test_users: testUsers = 0 } = row ?? {};
  return { permits, grants, events, testUsers };
}
