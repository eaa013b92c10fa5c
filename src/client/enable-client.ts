import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { DomainError } from '../errors.ts';
import { changesBetween, isFrozen, lastApprovals, registrationOf } from './describe-changes.ts';
import { moveClient } from './move-client.ts';

/**
 * Lets an approved or suspended production client be used, as it was approved.
 * @throws DomainError `invalid_request`; `conflict` where its registration is not the approved one; or as `moveClient`
 */
export async function enableClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  reason: string,
  actor: string,
): Promise<Client> {
  const given = givenReason(reason);
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const step = { from: ['approved', 'suspended'], to: 'enabled', verb: 'enabled' } as const;
    const client = await moveClient(within, clientId, step);
    const approval = (await lastApprovals(within, [client.id])).get(client.id);
    if (!approval || changesBetween(approval.registration, registrationOf(client)).some(isFrozen)) {
      throw new DomainError('conflict', 'The client is not as it was approved. Have it reviewed first.');
    }
    const details = { reason: given, approval: approval.id };
    recordAudit(within, { actor, action: 'client.enabled', subject: client.id, details });
    return client;
  });
}
