import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { after } from '../../../src/platform/time.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';

const ONE_DAY = 86_400;

/** Creates a grant of all tickets for a day. The caller flushes. @param actions that the fan allowed */
export function createGrant(
  { em, now }: Pick<ServiceContext, 'em' | 'now'>,
  kit: StarterKit,
  fan: Id<'usr'>,
  scope: string,
  actions: string[],
): ConsentGrant {
  return em.create(ConsentGrant, {
    fan,
    client: kit.client_id,
    scope,
    actions,
    consentedActions: actions,
    mode: 'all_current_future',
    ticketIds: [],
    createdAt: now(),
    endsAfter: after(now(), ONE_DAY),
  });
}
