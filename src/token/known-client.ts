import type { Context } from '../context.ts';
import type { Uuid } from '../identifier/type-id.ts';
import { OAuthError } from '../oauth/oauth-error.ts';

/** Whether there is a client of this identifier: asked only where a request is refused anyway, so that it is told why. */
export async function isKnownClient({ em }: Pick<Context, 'em'>, client: Uuid): Promise<boolean> {
  const [known] = await em.execute('select 1 from client where id = ?::uuid', [client]);
  return known !== undefined;
}

/** The refusal of a `client_id` that no client has. @see spec §7 */
export function unknownClient(): OAuthError {
  return new OAuthError('invalid_request', 'client_id is unknown');
}
