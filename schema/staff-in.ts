import { type Id, isId } from '../src/identifier/type-id.ts';

/** The identifier of the member of staff whom an actor of the audit log names; null where it names somebody else. */
export function staffIn(actor: string | null | undefined): Id<'stf'> | null {
  const id = actor?.startsWith('staff:') ? actor.slice('staff:'.length) : '';
  return isId('stf', id) ? id : null;
}
