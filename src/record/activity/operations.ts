/**
 * The request log and what is read from it: timelines (`read-timeline.ts`), charts (`read-dashboard.ts`) and the last use
 * of a grant (`last-use.ts`). The operations are a closed list (`operation-texts.ts`); this file groups and describes
 * them. Any other call is logged as `other`.
 *
 * @module
 */
import { OPERATIONS, type Operation, type OperationTexts } from './operation-texts.ts';

/** Calls of the Fan API (spec §4.1, D-284). */
export const FAN_OPERATIONS = beginningWith('tickets.', 'listings.', 'wallet.', 'claims.');

/** Operations that are filtered by together. */
export const OPERATION_GROUPS = {
  fan: { label: 'Fan API', operations: FAN_OPERATIONS },
  sandbox: { label: 'Failures on demand', operations: beginningWith('sandbox.') },
  token: { label: 'Token endpoint', operations: ['token.request', 'token.exchange', 'token.refresh'] },
  sign_in: { label: 'Sign-in', operations: beginningWith('authorize.', 'login.') },
  portal: { label: 'Fan’s apps', operations: beginningWith('portal.') },
  console: { label: 'Console', operations: beginningWith('graphql.') },
  not_console: {
    label: 'All but the console and files of pages',
    operations: (Object.keys(OPERATIONS) as Operation[]).filter((name) => !/^(graphql|page)\./.test(name)),
  },
  workspace: { label: 'Partner workspace', operations: beginningWith('workspace.') },
  inventory: { label: 'Imports', operations: beginningWith('inventory.') },
} as const satisfies Record<string, { label: string; operations: readonly Operation[] }>;

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

/** The outcome of an audited action: of a failure, what comes after the point. */
export function outcomeOfAudit(action: string): string {
  return AUDITED_FAILURES.includes(action) ? action.slice(action.indexOf('.') + 1) : OK;
}

/** The operation of a name that is composed at run time, such as `login.` and the name of a procedure. */
export function operationOf(name: string): Operation {
  return isOperation(name) ? name : 'other';
}

/** A request as a sentence. @param operation as stored; one that is no longer in the list appears under its name */
export function describeOperation(operation: string, outcome: string): string {
  const { done, refused } = textsOf(operation);
  return `${outcome === OK ? done : refused}.`;
}

/** As `describeOperation`, with why it was refused: what the caller was told, or else the words of the code. */
export function describeWithReason(operation: string, outcome: string, message: string | null): string {
  if (outcome === OK) return describeOperation(operation, outcome);
  const reason = message ?? outcome.replaceAll('_', ' ');
  return `${textsOf(operation).refused}: ${reason.replace(/\.$/, '')}.`;
}

/** What was called, as the API description names it. */
export function labelOf(operation: string): string {
  return textsOf(operation).label;
}

function textsOf(operation: string): OperationTexts {
  return isOperation(operation) ? OPERATIONS[operation] : { label: operation, done: operation, refused: operation };
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

function beginningWith(...beginnings: string[]): Operation[] {
  return (Object.keys(OPERATIONS) as Operation[]).filter((name) => beginnings.some((start) => name.startsWith(start)));
}
