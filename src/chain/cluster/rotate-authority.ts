import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountValues, NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { ChainKey } from '../../entities/chain.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { WriteContext } from '../../platform/context.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { encodeInstruction } from '../instruction/instructions.ts';
import { ensureNextAuthority } from '../wallet/create-keys.ts';
import type { WithSigner } from '../wallet/signer.ts';
import { takeAuthority } from '../wallet/take-authority.ts';
import { runAdminTransaction, type StepOutcome } from './admin-transaction.ts';
import type { OutsideSigner } from './keypair-file.ts';
import type { Cluster } from './open-cluster.ts';
import { SetupError } from './setup-error.ts';

/** A cluster finalizes about 13 seconds after it confirms. */
const FINAL_WITHIN_MS = 60_000;
const POLL_MS = 500;

export type RotationContext = WriteContext & WithCustody & WithSigner;

/**
 * Replaces the co-signing authority by a new key of ours or, where the program names a foreign one, by our present one. Running processes
 * follow as soon as they see the new configuration. The former authority still co-signs listings, until it is retired. Where the
 * program names another payer than ours, it names ours from then on.
 * @param atOnce retires the former authority in the same transaction; a foreign one always is
 * @throws SetupError where the program has no configuration or another admin, or its last rotation does not become final
 */
export async function rotateAuthority(
  context: RotationContext,
  cluster: Cluster,
  admin: OutsideSigner,
  atOnce = false,
): Promise<StepOutcome> {
  const { programId, mode, payer } = cluster;
  const config = await configFor(cluster, admin);
  await untilFinal(cluster, config.authority);
  const ours = await takeAuthority(context, mode, config.authority);
  const next = ours ? await ensureNextAuthority(context, mode) : cluster.authority;
  const retirement = { admin: admin.address, former_authority: config.authority };
  const payers = { admin: admin.address, new_payer: payer };
  const outcome = await runAdminTransaction(cluster, context.signer, {
    instructions: [
      encodeInstruction(programId, 'rotate_authority_v1', { admin: admin.address, new_authority: next }, {}),
      ...(atOnce || !ours ? [encodeInstruction(programId, 'retire_authority_v1', retirement, {})] : []),
      ...(config.payer === payer ? [] : [encodeInstruction(programId, 'rotate_payer_v1', payers, {})]),
    ],
    ours: [next],
    outside: [admin],
  });
  if ('done' in outcome) await adoptAuthority(context, cluster);
  return outcome;
}

/** The program's configuration, which this admin may change. @throws SetupError where there is none, or the admin is another */
async function configFor({ gateway, mode }: Cluster, admin: OutsideSigner): Promise<AccountValues<'Config'>> {
  const config = await gateway.config();
  if (!config) {
    throw new SetupError(`The program is not initialized. First: npm run chain -- initialize --mode ${mode}`);
  }
  if (config.admin !== admin.address) {
    throw new SetupError(`The admin of the program is ${config.admin}. ${admin.address} can't replace the authority.`);
  }
  return config;
}

/** Makes the key that the program names after a rotation the authority in our database. */
export async function adoptAuthority(context: RotationContext, { gateway, mode }: Cluster): Promise<void> {
  const config = await gateway.config();
  if (config) await takeAuthority(context, mode, config.authority);
}

/** Waits until the authority that the program names is final: this rotation deletes the key before it, which a fork could bring back. */
async function untilFinal({ gateway, mode }: Cluster, authority: string): Promise<void> {
  for (const end = performance.now() + FINAL_WITHIN_MS; performance.now() < end; await sleep(POLL_MS)) {
    if ((await gateway.finalConfig())?.authority === authority) return;
  }
  throw new SetupError(`The last rotation is not final yet. Repeat: npm run chain -- rotate --mode ${mode}`);
}

/**
 * Ends the rights of the former authority: listings that name it are refused from then on.
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
 * @returns false, with the key kept, where that takes too long or the program still names it
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
