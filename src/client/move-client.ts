import type { Context } from '../context.ts';
import { Client } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';

/** One step in the life of a production client. */
export interface ClientStep {
  from: readonly Client['status'][];
  to: Client['status'];
  /** What is done to the client, as a participle: `approved`. */
  verb: string;
  /** The version that whoever decides has looked at; undefined where the decision does not depend on it. */
  version?: number;
}

/**
 * Takes a step by one conditional update: of several at once, one wins. The row stays locked until the caller's
 * transaction ends, so that what is written beside it belongs to this step.
 * @throws DomainError `not_found`; `invalid_request` for a sandbox client; `conflict` where the client stands elsewhere;
 * `stale_edit` where it was edited since it was looked at
 */
export async function moveClient(
  { em, now }: Pick<Context, 'em' | 'now'>,
  clientId: string,
  step: ClientStep,
): Promise<Client> {
  const { from, to, version } = step;
  const moved = await em.nativeUpdate(
    Client,
    {
      id: knownId('client', clientId),
      mode: 'production',
      status: { $in: [...from] },
      ...(version !== undefined && { version }),
    },
    { status: to, updatedAt: now() },
  );
  const client = await em.findOne(Client, { id: clientId }, { refresh: true });
  if (!client) throw nothingUnder('client', clientId);
  if (moved !== 1) throw refusalOf(client, step);
  return client;
}

function refusalOf(client: Client, { from, verb }: ClientStep): DomainError {
  if (client.mode === 'sandbox') {
    return new DomainError('invalid_request', 'A sandbox client needs no review: it is ready as it is.');
  }
  if (!from.includes(client.status)) {
    return new DomainError('conflict', `The client is ${client.status}; only ${from.join(' or ')} can be ${verb}.`);
  }
  return staleEdit(client);
}

/** @param client as it is now */
export function staleEdit({ version }: Pick<Client, 'version'>): DomainError {
  return new DomainError(
    'stale_edit',
    `Somebody else changed the client meanwhile: it is at version ${version} now. Look at it and decide anew.`,
  );
}
