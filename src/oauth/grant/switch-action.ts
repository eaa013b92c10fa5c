import type { ConsentGrant } from '../../entities/consent-grant.ts';
import type { Action } from '../../partners/scopes.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { recordAuditOfEach } from '../../record/audit/record-audit.ts';
import { type FanContext, lockOwnGrants, type SalesChoice, salesKept } from './own-grants.ts';

/** An action to turn off or on in several grants of a fan, in one transaction. */
export interface ActionSwitch {
  /** Grants that have ended stay as they are. */
  grantIds: readonly string[];
  action: Action;
}

/**
 * Turns an action off for a fan, with effect from the client's next call on. Repeating the call changes nothing.
 * @throws DomainError `not_found` if the fan has none of these grants, or all have ended
 */
export async function turnActionOff(
  context: FanContext,
  fanId: Id<'usr'>,
  { grantIds, action, ...sales }: ActionSwitch & SalesChoice,
): Promise<void> {
  await context.em.fork().transactional(async (em) => {
    const grants = await lockOwnGrants(em, fanId, grantIds);
    const changed = grants.filter(({ actions }) => actions.includes(action));
    for (const grant of changed) {
      const actions = grant.actions.filter((each) => each !== action);
      Object.assign(grant, { actions, ...salesKept(context, sales) });
    }
    audit({ ...context, em }, fanId, { action: 'grant.narrowed', details: { actions: [action] } }, changed);
  });
}

/**
 * Turns an action on again for a fan, in each grant whose consent includes the action, with effect from the client's next
 * call on. Repeating the call changes nothing.
 * @throws DomainError `not_found` if the fan has none of these grants, or all have ended; `invalid_selection` if no
 * grant's consent includes the action
 */
export async function turnActionOn(
  context: FanContext,
  fanId: Id<'usr'>,
  { grantIds, action }: ActionSwitch,
): Promise<void> {
  await context.em.fork().transactional(async (em) => {
    const grants = await lockOwnGrants(em, fanId, grantIds);
    const consented = grants.filter(({ consentedActions }) => consentedActions.includes(action));
    if (consented.length === 0) {
      throw new DomainError('invalid_selection', `The action ${action} was never allowed to this app.`);
    }
    const changed = consented.filter(({ actions }) => !actions.includes(action));
    for (const grant of changed) {
      const { actions, consentedActions } = grant;
      grant.actions = consentedActions.filter((each) => each === action || actions.includes(each));
    }
    audit({ ...context, em }, fanId, { action: 'grant.widened', details: { actions: [action] } }, changed);
  });
}

function audit(
  context: FanContext,
  fanId: Id<'usr'>,
  fact: { action: 'grant.narrowed' | 'grant.widened'; details: { actions: string[] } },
  grants: readonly ConsentGrant[],
): void {
  const subjects = grants.map(({ id }) => id);
  recordAuditOfEach(context, { actor: `fan:${fanId}`, ...fact }, subjects);
}
