import type { Client } from '../entities/client.ts';
import { DomainError } from '../errors.ts';

/** The refusal of a change that was made for an earlier version. @param client as it is now */
export function staleEdit({ version }: Pick<Client, 'version'>): DomainError {
  return new DomainError(
    'stale_edit',
    `Somebody else changed the client meanwhile: it is at version ${version} now. Look at it and decide anew.`,
  );
}
