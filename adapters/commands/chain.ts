import { readProgramCode } from '@fan-api/ticket-program/local-program';
import { landSigned, type StepOutcome } from '../../src/chain/cluster/admin-transaction.ts';
import { deployProgram } from '../../src/chain/cluster/deploy-program.ts';
import { initializeProgram } from '../../src/chain/cluster/initialize-program.ts';
import type { OutsideSigner } from '../../src/chain/cluster/keypair-file.ts';
import { type Cluster, namedCluster, openCluster } from '../../src/chain/cluster/open-cluster.ts';
import { readClusterStatus } from '../../src/chain/cluster/read-cluster-status.ts';
import {
  adoptAuthority,
  deleteRetiredKey,
  retireAuthority,
  rotateAuthority,
} from '../../src/chain/cluster/rotate-authority.ts';
import { readCosts, readSpared } from '../../src/inventory/issuing/read-costs.ts';
import type { ServiceContext } from '../../src/runtime.ts';
import { type ChainFlags, readChainFlags, USAGE } from './chain-flags.ts';
import { printClusterStatus, printCosts } from './print-chain.ts';
import { runCommand } from './run-command.ts';
import { withRuntime } from './with-runtime.ts';

/**
 * `npm run chain -- <command> --mode …`: brings the ticket program and our keys onto a Solana cluster. The result is on standard
 * output. Exit code 1: something is missing, or was refused; 2: wrong command line or configuration.
 */
const words = process.argv.slice(2);
if (words.length === 0 || words.includes('--help')) process.stdout.write(USAGE);
else {
  await runCommand(async () => {
    const flags = readChainFlags(words);
    return withRuntime((context) => run(context(), flags));
  });
}

async function run(context: ServiceContext, flags: ChainFlags): Promise<number> {
  const { command, mode } = flags;
  if (command === 'keys') {
    const { authority, payer, programId } = await namedCluster(context, mode);
    process.stdout.write(`authority  ${authority}\npayer      ${payer}\nprogram    ${programId}\n`);
    return 0;
  }
  if (command === 'status') {
    const status = await readClusterStatus(context, await namedCluster(context, mode), readProgramCode());
    process.stdout.write(printClusterStatus(status));
    return status.missing.length > 0 ? 1 : 0;
  }
  if (command === 'costs') {
    process.stdout.write(printCosts(await readCosts(context, mode, flags.days), await readSpared(context, mode)));
    return 0;
  }
  const cluster = await openCluster(context, mode);
  const outcome = flags.admin ? await take(context, cluster, flags, flags.admin) : await land(context, cluster, flags);
  print(outcome);
  const retires = command === 'retire' || flags.atOnce;
  if (!retires || !('done' in outcome)) return 0;
  process.stderr.write('Waiting until the cluster has finalized it, to delete the key.\n');
  if (await deleteRetiredKey(context, cluster)) return 0;
  process.stderr.write(
    'The key is kept: it is not final yet that the program does not name it. Run retire again later.\n',
  );
  return 1;
}

async function land(context: ServiceContext, cluster: Cluster, { command, signed }: ChainFlags): Promise<StepOutcome> {
  const done = await landSigned(cluster, signed ?? '');
  if (command === 'rotate') await adoptAuthority(context, cluster);
  return { done };
}

function take(
  context: ServiceContext,
  cluster: Cluster,
  flags: ChainFlags,
  admin: OutsideSigner,
): Promise<StepOutcome> {
  if (flags.command === 'initialize') return initializeProgram(cluster, context.signer, admin);
  if (flags.command === 'rotate') return rotateAuthority(context, cluster, admin, flags.atOnce);
  if (flags.command === 'retire') return retireAuthority(context, cluster, admin);
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  return deployProgram(cluster, context.signer, { code: readProgramCode(), admin, program: flags.program, report });
}

function print(outcome: StepOutcome): void {
  if ('done' in outcome) process.stdout.write(`Done: ${outcome.done}\n`);
  else {
    process.stderr.write('Sign this transaction, then give it back with --signed:\n');
    process.stdout.write(`${outcome.unsigned}\n`);
  }
}
