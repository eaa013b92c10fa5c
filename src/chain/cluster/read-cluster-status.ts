import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { type AccountValues, NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import { isLocalGenesisHash } from '@fan-api/solana-wire/local-network';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import type { WithConfig, WriteContext } from '../../platform/context.ts';
import { checkPublicKeys, PublicKeyError } from '../check-public-keys.ts';
import type { DeployedProgram } from '../gateway/read-program.ts';
import { type PayerState, readPayer } from '../payer.ts';
import { takeAuthority } from '../wallet/take-authority.ts';
import { hasCode } from './deploy-program.ts';
import { type Cluster, expectedGenesisHash } from './open-cluster.ts';
import { inSol } from './setup-error.ts';

/** The state of a mode's cluster, for an operator. */
export interface ClusterStatus {
  readonly cluster: Cluster;
  readonly genesisHash: string;
  readonly program: DeployedProgram;
  /** Whether the deployed code is the committed one. */
  readonly codeIsCurrent: boolean;
  readonly configAddress: string;
  readonly config: AccountValues<'Config'> | undefined;
  readonly payer: PayerState;
  /** What keeps listings and permits from working, each with its remedy. */
  readonly missing: readonly Fault[];
  /** Faults that will need attention. */
  readonly notices: readonly Fault[];
}

export interface Fault {
  readonly what: string;
  /** A command or a step. */
  readonly mend: string;
}

type StatusContext = WriteContext & WithConfig;

/**
 * Reads everything that a mode's cluster needs to work. Changes nothing there.
 * @param code the committed program
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function readClusterStatus(
  context: StatusContext,
  cluster: Cluster,
  code: Uint8Array,
): Promise<ClusterStatus> {
  const { gateway, mode, programId } = cluster;
  const [genesisHash, program, config, payer, expected] = await Promise.all([
    gateway.genesisHash(),
    gateway.program(),
    gateway.config(),
    readPayer(context.config, cluster),
    expectedGenesisHash(context, mode),
  ]);
  const facts = {
    cluster,
    genesisHash,
    program,
    codeIsCurrent: hasCode(program, code),
    configAddress: configAddress(programId).address,
    config,
    payer,
  };
  const missing = [
    ...wrongCluster(facts, expected),
    ...(await publicKeys(facts)),
    ...programFaults(facts),
    ...(await configFaults(context, facts)),
    ...payerFaults(facts),
  ];
  return { ...facts, missing, notices: noticesOf(facts) };
}

type Facts = Omit<ClusterStatus, 'missing' | 'notices'>;

function wrongCluster({ genesisHash, cluster }: Facts, expected: string | undefined): Fault[] {
  if (expected === undefined || expected === genesisHash) return [];
  const mend = `Correct ${cluster.mode.toUpperCase()}_RPC_URL.`;
  return [{ what: `This is another cluster: its genesis hash should be ${expected}.`, mend }];
}

async function publicKeys({ cluster }: Facts): Promise<Fault[]> {
  try {
    await checkPublicKeys(cluster.gateway, cluster.mode);
    return [];
  } catch (error) {
    if (!(error instanceof PublicKeyError)) throw error;
    const mend = `Set ${cluster.mode.toUpperCase()}_PROGRAM_ID to an address of your own (solana-keygen new).`;
    return [{ what: error.message, mend }];
  }
}

function programFaults({ program, cluster: { programId, mode } }: Facts): Fault[] {
  if (program.state === 'deployed' || programId === LOCAL_PROGRAM_ID) return [];
  if (program.state === 'other') {
    const what = `The account at ${programId} is no upgradeable program; its owner is ${program.owner}.`;
    return [{ what, mend: `Set ${mode.toUpperCase()}_PROGRAM_ID to another address.` }];
  }
  const mend = `${command('deploy', mode)} --keypair ADMIN_FILE --program-keypair PROGRAM_FILE`;
  return [{ what: 'The program is not deployed.', mend }];
}

async function configFaults(context: StatusContext, { program, config, cluster }: Facts): Promise<Fault[]> {
  const { mode } = cluster;
  if (config === undefined) {
    if (program.state !== 'deployed') return [];
    if (program.upgradeAuthority === null) {
      const what = 'The program has no configuration, and nobody can create it: it has no upgrade authority.';
      return [{ what, mend: 'Deploy it at another address.' }];
    }
    const mend = `${command('initialize', mode)} --keypair ADMIN_FILE  (of ${program.upgradeAuthority})`;
    return [{ what: 'The program has no configuration.', mend }];
  }
  if (config.authority === cluster.authority) return [];
  if (await takeAuthority(context, mode, config.authority)) return [];
  const mend = `${command('rotate', mode)} --keypair ADMIN_FILE  (of ${config.admin})`;
  return [{ what: `The program names another authority than ours: ${config.authority}.`, mend }];
}

function payerFaults({ payer: { level, spendable, address } }: Facts): Fault[] {
  if (level !== 'empty') return [];
  return [{ what: `The payer can spend ${inSol(spendable)} SOL.`, mend: `Send SOL to ${address}.` }];
}

function noticesOf(facts: Facts): Fault[] {
  const { payer, codeIsCurrent, program, config, genesisHash, cluster } = facts;
  const { mode } = cluster;
  const notices: Fault[] = [];
  if (payer.level === 'low') {
    notices.push({ what: `The payer lasts for only ${payer.permits} permits.`, mend: `Send SOL to ${payer.address}.` });
  }
  if (program.state === 'deployed' && !codeIsCurrent && !isLocalGenesisHash(genesisHash)) {
    const mend = `${command('deploy', mode)} --keypair ADMIN_FILE`;
    notices.push({ what: 'The deployed code is not that of this release.', mend });
  }
  if (config !== undefined && config.former_authority !== NO_ADDRESS && !isLocalGenesisHash(genesisHash)) {
    const mend = `${command('retire', mode)} --keypair ADMIN_FILE`;
    const what = `Listings under the former authority, ${config.former_authority}, are still accepted.`;
    notices.push({ what, mend });
  }
  if (config !== undefined && config.payer !== cluster.payer) {
    const mend = `${command('rotate', mode)} --keypair ADMIN_FILE`;
    notices.push({ what: `Closed accounts pay their lamports to another payer than ours: ${config.payer}.`, mend });
  }
  return notices;
}

function command(name: string, mode: string): string {
  return `npm run chain -- ${name} --mode ${mode}`;
}
