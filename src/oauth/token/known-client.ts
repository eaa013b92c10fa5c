import { Client } from '../../entities/client.ts';
import type { Context } from '../../platform/context.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { OAuthError } from '../../platform/oauth-error.ts';

/** Chooses the error of a refused request: `unknownClient` where its client does not exist, `otherwise` where it does. */
export async function refuseClientFirst(
  { em }: Pick<Context, 'em'>,
  client: Uuid,
  otherwise: OAuthError,
): Promise<OAuthError> {
  return (await em.count(Client, { id: idOf('client', client) })) === 0 ? unknownClient() : otherwise;
}

/** The error for an unknown `client_id`. @see spec §7 */
export function unknownClient(): OAuthError {
  return new OAuthError('invalid_request', 'client_id is unknown');
}
