import { NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import type { ClusterStatus, Fault } from '../../src/chain/cluster/read-cluster-status.ts';
import { inSol } from '../../src/chain/cluster/setup-error.ts';
import type { DayCost, Spared } from '../../src/inventory/issuing/read-costs.ts';
import { printColumns } from './print-columns.ts';

/** The status of a cluster in one screen. */
export function printClusterStatus(status: ClusterStatus): string {
  const { cluster, genesisHash, payer } = status;
  const rows: [string, string][] = [
    // the rest of the URL may be a key
    ['RPC node', new URL(cluster.rpcUrl).origin],
    ['Genesis hash', genesisHash],
    ['Program', `${cluster.programId}: ${describeProgram(status)}`],
    ['Upgrade authority', describeUpgradeAuthority(status)],
    ['Configuration', `${status.configAddress}: ${describeConfig(status)}`],
    ['Our authority', cluster.authority],
    ['Our payer', `${payer.address}: ${inSol(payer.spendable)} SOL to spend, for about ${payer.permits} permits`],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(18)}${value}`);
  const parts = [
    `Cluster of ${cluster.mode}`,
    ...lines,
    ...list('Missing', status.missing),
    ...list('Soon', status.notices),
  ];
  return `${[...parts, ...(status.missing.length > 0 ? [] : ['', 'Ready.'])].join('\n')}\n`;
}

function describeProgram({ program, codeIsCurrent }: ClusterStatus): string {
  if (program.state === 'absent') return 'not deployed';
  if (program.state === 'other') return `an account of ${program.owner}`;
  return `${codeIsCurrent ? 'the code of this release' : 'not the code of this release'}, since slot ${program.slot}`;
}

function describeUpgradeAuthority({ program }: ClusterStatus): string {
  if (program.state !== 'deployed') return 'none';
  return program.upgradeAuthority ?? 'nobody: the program is immutable';
}

function describeConfig({ config, cluster }: ClusterStatus): string {
  if (!config) return 'none';
  const named = (address: string, ours: string) => `${address} (${address === ours ? 'ours' : 'not ours'})`;
  const before = config.former_authority === NO_ADDRESS ? '' : `, before it ${config.former_authority}`;
  const authority = named(config.authority, cluster.authority);
  return `authority ${authority}${before}, admin ${config.admin}, payer ${named(config.payer, cluster.payer)}`;
}

function list(title: string, faults: readonly Fault[]): string[] {
  if (faults.length === 0) return [];
  return ['', title, ...faults.flatMap(({ what, mend }) => [`  - ${what}`, `    ${mend}`])];
}

const MADE = [
  'day (UTC)',
  'events',
  'permits',
  'transactions',
  'lost',
  'lamports per permit',
  'events closed',
  'permits closed',
];
const PAID = ['day (UTC)', 'purpose', 'transactions', 'fees', 'rent', 'SOL'];

/** The report of costs as two tables, newest day first: what was made, and what the payer paid. Fees and rent are in lamports. */
export function printCosts(days: readonly DayCost[], { permits, rent }: Spared): string {
  const spared =
    permits === 0
      ? ''
      : `Not onchain, because no app may list them: ${permits} tickets${rent === null ? '' : `, ${inSol(rent)} SOL of rent`}\n`;
  if (days.length === 0) return `Nothing has been written to the chain yet.\n${spared}`;
  const made = days.map(({ day, events, permits, transactions, lost, perPermit, closedEvents, closedPermits }) => {
    return [day, events, permits, transactions, lost, perPermit ?? '-', closedEvents, closedPermits];
  });
  const paid = days.flatMap(({ day, payments }) =>
    payments.map(({ purpose, transactions, fees, rest }) => {
      return [day, purpose.replaceAll('_', ' '), transactions, fees, rest, inSol(fees + rest)];
    }),
  );
  const spent = days.flatMap(({ payments }) => payments.filter(({ purpose }) => purpose !== 'deposit'));
  const total = spent.reduce((sum, { fees, rest }) => sum + fees + rest, 0n);
  const tables = [printColumns([MADE, ...made], 0), printColumns([PAID, ...paid], 1)];
  return `${tables.map((lines) => lines.join('\n')).join('\n\n')}\n\nPaid in all, without deposits: ${inSol(total)} SOL\n${spared}`;
}
