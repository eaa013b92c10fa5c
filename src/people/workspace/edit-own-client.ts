import { Client } from '../../entities/client.ts';
import { type ClientEdit, editClient } from '../../partners/client/edit-client.ts';
import { APPROVED_STATUSES } from '../../partners/client/life-cycle.ts';
import type { Context } from '../../platform/context.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';

/** What an approved client changes without a review; only staff change it then, since fans see the name. */
const UNREVIEWED = ['name', 'refreshRetryWindow'] as const;

/**
 * Edits a client as one of its partner's members. As `editClient`, but nothing of an approved client changes without a review.
 * The caller checks that the client is the partner's.
 * @throws DomainError as `editClient`; `invalid_request` for a field that only staff can change
 */
export async function editOwnClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  edit: ClientEdit,
  actor: string,
): Promise<Client> {
  const client = await rowUnder(context.em, Client, 'client', edit.clientId, { refresh: true });
  const field = UNREVIEWED.find((name) => edit.changes[name] !== undefined && edit.changes[name] !== client[name]);
  // a status that changes after this look raises the version, and the edit is refused
  if (field !== undefined && APPROVED_STATUSES.has(client.status) && client.version === edit.version) {
    throw new DomainError('invalid_request', `${field}: once a client is approved, ask staff to change it.`);
  }
  return editClient(context, edit, actor);
}
