import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { accountDataLength } from '@fan-api/cosign-policy/read-account';
import { encodeInstruction } from '../instruction/instructions.ts';
import type { Signer } from '../wallet/signer.ts';
import { runAdminTransaction, type StepOutcome } from './admin-transaction.ts';
import { fundAccount } from './fund-account.ts';
import type { OutsideSigner } from './keypair-file.ts';
import type { Cluster } from './open-cluster.ts';
import { SetupError } from './setup-error.ts';

/**
 * Creates the program's configuration with our authority and payer. The admin signs; our payer gives it the lamports of the new account.
 * @throws SetupError where the program is missing, has another upgrade authority, or another configuration
 */
export async function initializeProgram(cluster: Cluster, signer: Signer, admin: OutsideSigner): Promise<StepOutcome> {
  const { gateway, programId, authority, payer, mode } = cluster;
  const [program, config] = await Promise.all([gateway.program(), gateway.config()]);
  if (config?.authority === authority) return { done: 'The program has our authority already.' };
  if (config) {
    throw new SetupError(
      `The program is initialized with another authority, ${config.authority}. ` +
        `Its admin, ${config.admin}, can replace it: npm run chain -- rotate --mode ${mode}`,
    );
  }
  if (program.state !== 'deployed') {
    throw new SetupError(`No program is deployed at ${programId}. First: npm run chain -- deploy --mode ${mode}`);
  }
  if (program.upgradeAuthority !== admin.address) {
    const who = program.upgradeAuthority ?? 'nobody: it is immutable, and cannot be initialized any more';
    throw new SetupError(`The upgrade authority of ${programId} is ${who}. Only that key can initialize it.`);
  }
  const { address } = configAddress(programId);
  const instructions = [
    await fundAccount(cluster, address, accountDataLength('Config'), admin.address),
    encodeInstruction(programId, 'initialize_v1', { admin: admin.address, authority, payer }, {}),
  ];
  return runAdminTransaction(cluster, signer, { instructions, ours: [authority], outside: [admin] });
}
