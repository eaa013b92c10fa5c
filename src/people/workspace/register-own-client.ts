import { Client } from '../../entities/client.ts';
import { Partner } from '../../entities/partner.ts';
import type { ClientRegistration } from '../../partners/client/lint-registration.ts';
import { registerClient } from '../../partners/client/register-client.ts';
import type { Context } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';

/** Clients of a partner up to which its members register more themselves. */
export const MOST_OWN_CLIENTS = 50;

/**
 * Registers a client as a member of its partner: in sandbox ready at once, in production as a draft.
 * @throws DomainError `invalid_request` naming the field and its fault, `conflict` with too many clients
 */
export async function registerOwnClient(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  partnerId: Id<'ptn'>,
  registration: ClientRegistration,
  actor: string,
): Promise<Client> {
  return context.em.transactional(async (em) => {
    // of two at once, the second counts the client of the first
    const partner = await rowUnder(em, Partner, 'ptn', partnerId, LOCKED);
    if ((await em.count(Client, { partner: partnerId })) >= MOST_OWN_CLIENTS) {
      throw new DomainError(
        'conflict',
        `A partner can register up to ${MOST_OWN_CLIENTS} clients. Ask staff for more.`,
      );
    }
    return registerClient({ ...context, em }, partner, registration, actor);
  });
}
