import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountValues } from '@fan-api/cosign-policy/read-account';
import type { WithCustody } from '../../keys/vault.ts';
import type { Context } from '../../platform/context.ts';
import { encodeInstruction } from '../instruction/instructions.ts';
import { ensureNextAuthority } from '../wallet/create-keys.ts';
import type { WithSigner } from '../wallet/signer.ts';
import { takeAuthority } from '../wallet/take-authority.ts';
import { runAdminTransaction, type StepOutcome } from './admin-transaction.ts';
import type { OutsideSigner } from './keypair-file.ts';
import type { Cluster } from './open-cluster.ts';
import { SetupError } from './setup-error.ts';

const FINAL_WITHIN_MS = 60_000;
const POLL_MS = 500;

export type RotationContext = Pick<Context, 'em' | 'now' | 'requestId'> & WithCustody & WithSigner;

/**
 * Replaces the co-signing authority: by a new key of ours; or, where the program names a stranger's, by our present one. Running
 * processes follow as soon as they see the new configuration. The authority before still co-signs listings, until it is retired.
 * @param atOnce retires the authority before with the same transaction; a stranger's always is
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
  const accounts = { admin: admin.address, new_authority: next, payer };
  const retirement = { admin: admin.address, former_authority: config.authority };
  const outcome = await runAdminTransaction(cluster, context.signer, {
    instructions: [
      encodeInstruction(programId, 'rotate_authority_v1', accounts, {}),
      ...(atOnce || !ours ? [encodeInstruction(programId, 'retire_authority_v1', retirement, {})] : []),
    ],
    ours: [next],
    outside: [admin],
  });
  if ('done' in outcome) await adoptAuthority(context, cluster);
  return outcome;
}

/** The program's configuration, which this admin may change. @throws SetupError where there is none, or the admin is another */
export async function configFor({ gateway, mode }: Cluster, admin: OutsideSigner): Promise<AccountValues<'Config'>> {
  const config = await gateway.config();
  if (!config) {
    throw new SetupError(`The program is not initialized. First: npm run chain -- initialize --mode ${mode}`);
  }
  if (config.admin !== admin.address) {
    throw new SetupError(`The admin of the program is ${config.admin}. ${admin.address} can't replace the authority.`);
  }
  return config;
}

/** After a rotation: the key that the program names is the authority in our database. */
export async function adoptAuthority(context: RotationContext, { gateway, mode }: Cluster): Promise<void> {
  const config = await gateway.config();
  if (config) await takeAuthority(context, mode, config.authority);
}

/**
 * Waits until the authority that the program names is final: this rotation deletes the key before it, which a fork could bring back.
 */
async function untilFinal({ gateway, mode }: Cluster, authority: string): Promise<void> {
  for (const end = performance.now() + FINAL_WITHIN_MS; performance.now() < end; await sleep(POLL_MS)) {
    if ((await gateway.finalConfig())?.authority === authority) return;
  }
  throw new SetupError(`The last rotation is not final yet. Repeat: npm run chain -- rotate --mode ${mode}`);
}
