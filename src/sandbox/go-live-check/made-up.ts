import type { GoLiveAttempt } from '../../entities/go-live-check.ts';
import { type IdPrefix, idOf, type Uuid } from '../../platform/identifier/type-id.ts';

/** What a run invents: of the right form, and in no table. A UUIDv7 always has its version, so nothing real is ever all zeros. */

/** An identifier of zeros, or nearly so. @param number 0 to 65,535 */
export function emptyId(prefix: IdPrefix, number = 0): string {
  return idOf(prefix, `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}` as Uuid);
}

/** The fan of every run. There is no such fan. */
export const CHECK_SUBJECT = emptyId('usr');

/** The grant of an attempt. There is no such grant. */
export function grantIdOf({ id }: Pick<GoLiveAttempt, 'id'>): string {
  return emptyId('grant', Number(id) % 65_536);
}
