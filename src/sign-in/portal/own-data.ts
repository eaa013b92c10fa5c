import type { WithKeys } from '../../keys/key-ring.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { copyFanData, type FanCopy } from '../own-data/copy-data.ts';
import { deleteFan } from '../own-data/delete-fan.ts';
import { requireFreshSignIn } from './change-number.ts';
import type { PortalFan } from './find-portal-session.ts';

const byFan = ({ id }: PortalFan) => ({ actor: `fan:${id}`, details: { by: 'fan' } }) as const;

/** A copy of all that is kept about a fan, for the fan. @throws DomainError `fresh_sign_in_required` */
export function copyOwnData(
  context: WriteContext & Pick<Context, 'pool' | 'config'> & WithKeys,
  fan: PortalFan,
): Promise<FanCopy> {
  requireFreshSignIn(context, fan, 'to get a copy of your data');
  return copyFanData(context, fan.id, byFan(fan));
}

/** Deletes a fan's account, for the fan, and with it this visit. @throws DomainError `fresh_sign_in_required`, and as `deleteFan` */
export async function leave(context: WriteContext, fan: PortalFan): Promise<void> {
  requireFreshSignIn(context, fan, 'to delete your account');
  await context.em.fork().transactional((em) => deleteFan({ ...context, em }, fan.id, byFan(fan)));
}
