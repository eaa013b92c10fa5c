import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, isUuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { REQUEST_COLUMNS, type RequestRow } from './request-rows.ts';

const requestOfPartner = preparedWithDates<RequestRow>(`
  select ${REQUEST_COLUMNS} from api_request
  where id = $1 and client_id in (select c.id from client c where c.partner_id = $2)`);

/**
 * A request of the log that was made with a client of the partner.
 * @param id the `X-Request-Id` of its answer
 * @returns undefined where there is none of this partner
 */
export async function readPartnerRequest(
  { pool }: Pick<Context, 'pool'>,
  id: string,
  partnerId: Id<'ptn'>,
): Promise<RequestRow | undefined> {
  const wanted = id.trim().toLowerCase();
  if (!isUuid(wanted)) return undefined;
  const [row] = await requestOfPartner(pool, [wanted, uuidOf('ptn', partnerId)]);
  return row;
}
