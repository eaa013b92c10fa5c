import type { ClientReview } from '../entities/client.ts';
import { type Id, isId } from '../identifier/type-id.ts';

export const SUBMITTERS = ['partner', 'staff'] as const;

/** The member of a partner whom an actor of the audit log names; undefined where it names somebody else. */
export function memberIn(actor: string | null | undefined): Id<'mem'> | undefined {
  const id = actor?.startsWith('member:') ? actor.slice('member:'.length) : '';
  return isId('mem', id) ? id : undefined;
}

/** On whose side a review was submitted. */
export function submitterOf({ submittedBy }: Pick<ClientReview, 'submittedBy'>): (typeof SUBMITTERS)[number] {
  return memberIn(submittedBy) === undefined ? 'staff' : 'partner';
}
