import type { Context } from '../../platform/context.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';

/** Whose sandbox asks: the partner of a client, or the fans' portal, which every test user may open. */
export type Sandbox = Id<'ptn'> | 'portal';

/**
 * SQL of the code of the test user whom a sandbox knows by a number: one of the partner, or one that was made for every partner; null
 * where there is none. One query, so that a number of another partner and a number of nobody take the same time.
 * @param phone SQL of the number (E.164); `partner` is SQL of the partner's `uuid`, null for the fans' portal
 */
export function testUserCode(phone: string, partner: string): string {
  return `(select u.code from test_user u join fan f on f.id = u.fan_id
    where f.mode = 'sandbox' and f.phone = ${phone}
      and (u.partner_id is null or u.partner_id = ${partner} or ${partner} is null))`;
}

/** The test user that a sandbox knows by a number. @param phone E.164 */
export async function findTestUser(
  { em }: Pick<Context, 'em'>,
  phone: string,
  sandbox: Sandbox,
): Promise<{ code: string } | undefined> {
  const partner = sandbox === 'portal' ? null : uuidOf('ptn', sandbox);
  const [found] = await em.execute<{ code: string | null }[]>(
    `select ${testUserCode('asked.phone', 'asked.partner')} as code from (select ?::text as phone, ?::uuid as partner) asked`,
    [phone, partner],
  );
  return found?.code ? { code: found.code } : undefined;
}
