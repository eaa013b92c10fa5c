import type { ClientReview } from '../../entities/client.ts';
import { memberIn } from '../../partners/person.ts';

export const SUBMITTERS = ['partner', 'staff'] as const;

/** On whose side a review was submitted. */
export function submitterOf({ submittedBy }: Pick<ClientReview, 'submittedBy'>): (typeof SUBMITTERS)[number] {
  return memberIn(submittedBy) === undefined ? 'staff' : 'partner';
}
