import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { type OpenSession, requireStep } from './find-session.ts';

/**
 * Returns a sign-in from consent to the phone step, for a fan who sees that the account is another person's. Codes sent and
 * wrong tries stay counted.
 * @throws DomainError `wrong_step`
 */
export async function changeFan({ em }: Pick<Context, 'em'>, session: OpenSession): Promise<void> {
  requireStep(session, 'consent');
  await em.transactional(async (tx) => {
    const { id, fan } = session;
    const back = await tx.nativeUpdate(
      AuthorizationSession,
      { id, step: 'consent', fan: fan?.id ?? null },
      { step: 'phone', fan: null, authenticatedAt: null, amr: null },
    );
    if (back !== 1) throw new DomainError('wrong_step', 'This sign-in has moved on already.');
    const challenge = { purpose: 'login', owner: uuidOf('sess', id) } as const;
    await tx.nativeUpdate(PhoneChallenge, challenge, { step: 'phone', phone: null, reference: null });
  });
}
