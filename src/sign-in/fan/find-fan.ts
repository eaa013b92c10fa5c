import { Fan } from '../../entities/fan.ts';
import type { Context } from '../../platform/context.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';

/** The fan with an identifier that staff give. @throws DomainError `not_found` */
export function findFan(em: Context['em'], fanId: string): Promise<Fan> {
  return em.findOneOrFail(Fan, { id: knownId('usr', fanId) }, { failHandler: () => nothingUnder('usr', fanId) });
}
