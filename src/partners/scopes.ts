/** Scopes and actions. A *scope* is what a partner asks for; an *action* is what the fan granted. @see spec §5.13 */
import { SCOPE_TABLE, scopeEntry } from './scope-table.ts';

export type Scope = keyof typeof SCOPE_TABLE;

/** A scope for acting on behalf of the fan; its name is also that of the action. */
export type Action = Extract<Scope, `fan:${string}`>;

export const ALL_SCOPES = Object.keys(SCOPE_TABLE) as readonly Scope[];
export const ACTION_SCOPES = ALL_SCOPES.filter(isAction);

type Opened<Name extends Scope> = (typeof SCOPE_TABLE)[Name] extends { opens: readonly (infer Operation)[] }
  ? Operation
  : never;
type FanOperation = { [Name in Action]: Opened<Name> }[Action];

/** The action that each operation of the Fan API requires. */
export const REQUIRED_ACTIONS = Object.fromEntries(
  ACTION_SCOPES.flatMap((action) => (scopeEntry(action)?.opens ?? []).map((operation) => [operation, action])),
) as Readonly<Record<FanOperation, Action>>;

/** Whether a scope can be used today: no operation requires the other actions, which are for later operations. */
export function isInUse(scope: Scope): boolean {
  return !isAction(scope) || scopeEntry(scope)?.opens !== undefined;
}

/** The default scopes of a new client. */
export const SCOPES_IN_USE = ALL_SCOPES.filter(isInUse);

/** @see RFC 6749 §3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** The distinct scopes of a space-delimited text, in order; undefined where it is malformed or empty. Extra spaces are ignored. */
export function parseScope(text: string): string[] | undefined {
  const tokens = text.split(' ').filter((token) => token !== '');
  const sound = tokens.length > 0 && tokens.every((token) => SCOPE_TOKEN.test(token));
  return sound ? [...new Set(tokens)] : undefined;
}

/** The actions among scopes, in their order. */
export function actionsOf(scopes: readonly string[]): Action[] {
  return scopes.filter(isAction);
}

function isAction(scope: string): scope is Action {
  return scope.startsWith('fan:') && scopeEntry(scope) !== undefined;
}
