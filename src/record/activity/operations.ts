/**
 * The request log and what is read from it: timelines (`read-timeline.ts`), charts (`read-dashboard.ts`) and the last use
 * of a grant (`last-use.ts`). The operations are a closed list (`operation-texts.ts`); this file groups and describes
 * them. Any other call is logged as `other`.
 *
 * @module
 */
import { OPERATIONS, type Operation } from './operation-texts.ts';

export const OPERATION_NAMES = Object.keys(OPERATIONS) as Operation[];

/** Calls of the Fan API (spec §4.1), and `fetchWallet` beside it. */
export const FAN_OPERATIONS = beginningWith('tickets.', 'listings.', 'wallet.', 'claims.');

/** Calls whose answers may get lost: the request log has each success, for the judgement of the repeat (D-226). */
export const JUDGED_OPERATIONS = [
  'token.exchange',
  'token.refresh',
  'login.consent.grant',
] as const satisfies Operation[];

/** Groups of operations to filter by. */
export const OPERATION_GROUPS = {
  fan: { label: 'Fan API', operations: FAN_OPERATIONS },
  sandbox: { label: 'Failures on demand', operations: beginningWith('sandbox.') },
  token: { label: 'Token endpoint', operations: ['token.request', 'token.exchange', 'token.refresh'] },
  sign_in: { label: 'Sign-in', operations: beginningWith('authorize.', 'login.') },
  portal: { label: 'Fan’s apps', operations: beginningWith('portal.') },
  console: { label: 'Console', operations: beginningWith('graphql.', 'console.') },
  not_console: {
    label: 'All but the console and files of pages',
    operations: OPERATION_NAMES.filter((name) => !/^(graphql|page)\./.test(name)),
  },
  workspace: { label: 'Partner workspace', operations: beginningWith('workspace.') },
  inventory: { label: 'Imports', operations: beginningWith('inventory.') },
} as const satisfies Record<string, { label: string; operations: readonly Operation[] }>;

/** The choices of the filter: the groups, then each operation. */
export const OPERATION_FILTERS = [
  ...Object.entries(OPERATION_GROUPS).map(([name, { label }]) => ({ name, label })),
  ...OPERATION_NAMES.map((name) => ({ name, label: labelOf(name) })),
];

/** The operations of a group, or the one that is named; none where there is no such name. */
export function operationsNamed(name: string): readonly Operation[] {
  if (isOperation(name)) return [name];
  return Object.hasOwn(OPERATION_GROUPS, name)
    ? OPERATION_GROUPS[name as keyof typeof OPERATION_GROUPS].operations
    : [];
}

/** The outcome of a request that was not refused. */
export const OK = 'ok';

/** Actions of the audit log that are failures. */
export const AUDITED_FAILURES = ['claim.failed', 'staff.refused'];

/** The outcome of an audited action: for a failure, the part after the dot. */
export function outcomeOfAudit(action: string): string {
  return AUDITED_FAILURES.includes(action) ? action.slice(action.indexOf('.') + 1) : OK;
}

/** The operation of a name that is composed at run time, such as `login.` and the name of a procedure. */
export function operationOf(name: string): Operation {
  return isOperation(name) ? name : 'other';
}

/** What was called, as the API description names it. @param operation as stored; one that is no longer in the list appears under its name */
export function labelOf(operation: string): string {
  return isOperation(operation) ? OPERATIONS[operation][0] : operation;
}

/** What was called: of a call that is no operation, its method and path. */
export function calledBy({
  operation,
  method,
  path,
}: {
  operation: string;
  method: string;
  path: string | null;
}): string {
  return path === null ? labelOf(operation) : `${method} ${path}`;
}

/** A request as a sentence. */
export function describeOperation(operation: string, outcome: string): string {
  return `${sentenceOf(operation, outcome === OK)}.`;
}

/** As `describeOperation`, with the reason of a refusal: its message, or the code in words. */
export function describeWithReason(operation: string, outcome: string, message: string | null): string {
  if (outcome === OK) return describeOperation(operation, outcome);
  const reason = message ?? outcome.replaceAll('_', ' ');
  return `${sentenceOf(operation, false)}: ${reason.replace(/\.$/, '')}.`;
}

function sentenceOf(operation: string, succeeded: boolean): string {
  const sentence = isOperation(operation) ? OPERATIONS[operation][1] : operation;
  return sentence.replace(/\[(.*)\|(.*)\]/, succeeded ? '$1' : '$2');
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

function beginningWith(...beginnings: string[]): Operation[] {
  return OPERATION_NAMES.filter((name) => beginnings.some((start) => name.startsWith(start)));
}
