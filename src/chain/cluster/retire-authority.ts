import { setTimeout as sleep } from 'node:timers/promises';
import { NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { ChainKey } from '../../entities/chain.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { encodeInstruction } from '../instruction/instructions.ts';
import { runAdminTransaction, type StepOutcome } from './admin-transaction.ts';
import type { OutsideSigner } from './keypair-file.ts';
import type { Cluster } from './open-cluster.ts';
import { configFor, type RotationContext } from './rotate-authority.ts';

/** A cluster finalizes about 13 seconds after it confirms. */
const FINAL_WITHIN_MS = 60_000;
const POLL_MS = 500;

/**
 * Ends the rights of the authority before the present one: listings that name it are refused from then on.
 * @throws SetupError where the program has no configuration or another admin
 */
export async function retireAuthority(
  context: RotationContext,
  cluster: Cluster,
  admin: OutsideSigner,
): Promise<StepOutcome> {
  const { former_authority: former } = await configFor(cluster, admin);
  if (former === NO_ADDRESS) return { done: 'The program knows no authority but the present one.' };
  const accounts = { admin: admin.address, former_authority: former };
  return runAdminTransaction(cluster, context.signer, {
    instructions: [encodeInstruction(cluster.programId, 'retire_authority_v1', accounts, {})],
    ours: [],
    outside: [admin],
  });
}

/**
 * Deletes the key of the former authority, once no fork can bring it back: when the configuration at `finalized` does not name it.
 * @returns false where that did not come in time, or the program still names it; the key is kept then
 */
export async function deleteRetiredKey(
  context: RotationContext,
  { gateway, mode }: Cluster,
  withinMs = FINAL_WITHIN_MS,
): Promise<boolean> {
  for (const end = performance.now() + withinMs; ; await sleep(POLL_MS)) {
    const key = await context.em.fork().findOne(ChainKey, { mode, role: 'former_authority' });
    if (!key) return true;
    const config = await gateway.finalConfig();
    if (config && ![config.authority, config.former_authority].includes(key.address)) {
      await deleteKey(context, key);
      return true;
    }
    if (performance.now() >= end) return false;
  }
}

async function deleteKey(context: RotationContext, { mode, address }: ChainKey): Promise<void> {
  await context.em.fork().transactional(async (em) => {
    // only as the former one: a rotation that was undone makes it an authority again
    const deleted = await em.nativeDelete(ChainKey, { mode, address, role: 'former_authority' });
    if (deleted === 0) return;
    const entry = { actor: 'system', action: 'chain_authority.retired', subject: address, details: { mode } } as const;
    recordAudit({ ...context, em }, entry);
  });
}
