import { NO_ADDRESS } from '@fan-api/cosign-policy/read-account';
import type { ClusterStatus, Fault } from '../../src/chain/cluster/read-cluster-status.ts';
import { inSol } from '../../src/chain/cluster/setup-error.ts';
import type { DayCost } from '../../src/inventory/issuing/read-costs.ts';
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

const HEADINGS = [
  'day (UTC)',
  'events',
  'permits',
  'transactions',
  'lost',
  'fees',
  'rent',
  'SOL',
  'lamports per permit',
  'events closed',
  'permits closed',
  'SOL back',
];

/** The report of costs as a table, newest day first; fees and rent of permits are in lamports. */
export function printCosts(days: readonly DayCost[]): string {
  if (days.length === 0) return 'Nothing has been written to the chain yet.\n';
  const rows = days.map((cost) => {
    const { day, events, eventCost, permits, transactions, lost, fees, rent, perPermit } = cost;
    const spent = inSol(fees + rent + eventCost + cost.closingFees);
    const closed = [cost.closedEvents, cost.closedPermits, inSol(cost.returned)];
    return [day, events, permits, transactions, lost, fees, rent, spent, perPermit ?? '-', ...closed];
  });
  return `${printColumns([HEADINGS, ...rows], 0).join('\n')}\n`;
}
