import { CO_SIGNING_STOPPED, fanStopped, smsStopped } from '../../entities/stopped.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { countriesOf } from '../../platform/phone-number.ts';
import type { TakenMove } from './move-rows.ts';

const readObstacles = prepared<{ co_signing: boolean; fan: boolean; claim: boolean; phones: string[] }>(`
  select exists (${CO_SIGNING_STOPPED}) as co_signing,
    exists (${fanStopped('$1::uuid')}) or exists (${fanStopped('$2::uuid')}) as fan,
    exists (select from claim where permit_id = $3 and (state in ('pending', 'submitted') or $4 and state = 'confirmed')) as claim,
    array(select phone::text from fan where id in ($1::uuid, $2::uuid) and phone is not null) as phones`);
const readStopped = prepared<{ stopped: boolean }>(`select exists (${smsStopped('$1::text[]')}) as stopped`);

/**
 * Why nothing may be signed for a move at the moment: what staff have stopped, or a claim that is under way.
 * @param signer the fan whose wallet signs
 */
export async function findObstacle(
  { pool }: Pick<Context, 'pool'>,
  move: TakenMove,
  signer: Uuid,
): Promise<string | undefined> {
  const [found] = await readObstacles(pool, [signer, move.to_fan_id, move.permit_id, move.from_wallet === null]);
  if (!found) throw new Error('the obstacles of a move could not be read');
  if (found.co_signing) return 'Staff have stopped co-signing.';
  if (found.fan) return 'Staff have stopped the fan.';
  const [country] = await readStopped(pool, [found.phones.flatMap(countriesOf)]);
  if (country?.stopped) return 'Staff have stopped the fan’s country.';
  if (found.claim) return 'A claim of the ticket is under way.';
  return undefined;
}
