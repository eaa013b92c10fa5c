import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Client } from '../entities/client.ts';
import { moveClient } from './move-client.ts';

/**
 * Stops an enabled production client from the next call on. Its grants stay, and live again when it is enabled.
 * @throws DomainError `invalid_request`, or as `moveClient`
 */
export async function suspendClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  clientId: string,
  reason: string,
  actor: string,
): Promise<Client> {
  const given = givenReason(reason);
  return context.em.transactional(async (em) => {
    const within = { ...context, em };
    const client = await moveClient(within, clientId, { from: ['enabled'], to: 'suspended', verb: 'suspended' });
    recordAudit(within, { actor, action: 'client.suspended', subject: client.id, details: { reason: given } });
    return client;
  });
}
