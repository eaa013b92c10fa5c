import { Client } from '../../entities/client.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import type { Id } from '../../platform/identifier/type-id.ts';

/**
 * The sandbox client of an identifier. Nothing is ever simulated for a production client; the database refuses it too.
 * @throws DomainError `not_found`; `invalid_request` for a production client
 */
export async function requireSandboxClient({ em }: Pick<Context, 'em'>, clientId: string): Promise<Id<'client'>> {
  const id = knownId('client', clientId);
  const client = await em.findOne(Client, { id });
  if (!client) throw nothingUnder('client', id);
  if (client.mode !== 'sandbox')
    throw new DomainError('invalid_request', 'Failures and time travel are for sandbox clients only.');
  return id;
}
