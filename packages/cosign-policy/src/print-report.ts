import type { Explanation } from './explain.ts';
import { POLICY_VERSION } from './policy-version.ts';
import type { Verdict } from './verdicts.ts';

/** What the linter found out. */
export interface Report {
  readonly action: string;
  readonly warnings: readonly string[];
  readonly transactions: readonly Explanation[];
}

export function isAccepted({ transactions }: Report): boolean {
  return transactions.every(({ accepted }) => accepted);
}

/** The report for programs. */
export function reportAsJson(report: Report): string {
  const { action, warnings, transactions } = report;
  const whole = { policy_version: POLICY_VERSION, action, accepted: isAccepted(report), warnings, transactions };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** The report for people. */
export function reportAsText(report: Report): string {
  const lines = [
    `Policy version ${POLICY_VERSION}, ${report.action}`,
    ...report.warnings.map((each) => `Warning: ${each}`),
  ];
  for (const [index, transaction] of report.transactions.entries()) lines.push('', ...linesOf(transaction, index));
  return `${lines.join('\n')}\n`;
}

function linesOf({ accepted, instructions, rules }: Explanation, index: number): string[] {
  const failed = rules.filter(({ outcome }) => outcome === 'failed');
  const unchecked = rules.filter(({ outcome }) => outcome === 'unchecked');
  const lines = [`Transaction ${index}: ${accepted ? 'accepted' : 'REFUSED'}`];
  for (const [at, { program, program_name: title, name, accounts, arguments: given }] of instructions.entries()) {
    const values = Object.entries(given).map(([key, value]) => ` ${key}=${value}`);
    lines.push(`  ${at}. ${title ?? program} ${name ?? '(unknown instruction)'}${values.join('')}`);
    for (const { role, address, signer, writable } of accounts) {
      const flags = [...(writable ? ['writable'] : []), ...(signer ? ['signer'] : [])].join(' ');
      lines.push(`       ${role ?? '(undeclared)'} ${address ?? '(from a lookup table)'}${flags && `  ${flags}`}`);
    }
  }
  for (const { rule, message, fix } of failed) lines.push(`  FAILED ${rule}: ${message}`, `         Fix: ${fix}`);
  for (const [message, names] of byMessage(unchecked)) lines.push(`  ${message}: ${names.join(', ')}`);
  lines.push(`  ${rules.length - failed.length - unchecked.length} of ${rules.length} rules passed`);
  return lines;
}

function byMessage(verdicts: readonly Verdict[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { rule, message } of verdicts) names.set(message, [...(names.get(message) ?? []), rule]);
  return names;
}
