import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { replaceLogo } from './replace-logo.ts';

/**
 * Takes a client's logo away: fans see the initials of its name again.
 * @returns the client as it is now; where it has no logo, as it was
 * @throws DomainError `not_found`
 */
export function removeClientLogo(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  actor: string,
): Promise<Client> {
  return replaceLogo(context, clientId, undefined, actor);
}
