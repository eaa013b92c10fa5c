import { Client } from '../../entities/client.ts';
import type { Context, EntityContext } from '../../platform/context.ts';
import { lockRow } from '../../platform/database/advisory-lock.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';

/**
 * Locks a client's row until the transaction ends, to serialize changes to the client, its reviews and its logo. Sign-ins continue: the
 * lock blocks neither reads of the row nor writes of rows that refer to it.
 * @returns the client as it is now
 * @throws DomainError `not_found`
 */
export async function lockClient({ em }: Pick<Context, 'em'>, clientId: string): Promise<Client> {
  const id = knownId('client', clientId);
  await lockRow(em, 'client', uuidOf('client', id));
  const client = await em.findOne(Client, { id }, { refresh: true });
  if (!client) throw nothingUnder('client', id);
  return client;
}

/** Writes a locked client, which increments its version. */
export async function writeClient(
  { em, now }: EntityContext,
  client: Client,
  changes: Partial<
    Pick<
      Client,
      | 'name'
      | 'status'
      | 'redirectUris'
      | 'scopes'
      | 'corsOrigins'
      | 'loopbackAnyPort'
      | 'refreshRetryWindow'
      | 'privacyUrl'
      | 'marketplaces'
    >
  >,
): Promise<void> {
  await em.nativeUpdate(Client, { id: client.id }, { ...changes, updatedAt: now() });
  await em.refresh(client);
}
