import { scopeEntry } from '../../../../src/partners/scope-table.ts';
import type { Texts } from './words.ts';

/** What an action lets a partner do: `see` only looks, `act` does something in the fan's name. */
type ActionText = {
  kind: 'see' | 'act';
  /** In a word, what it does in the fan's name; undefined for one that only looks. */
  mark: string | undefined;
  title: string;
  detail: string;
};

/** Whether an app with this action sells tickets. */
export function isSelling(action: string): boolean {
  return scopeEntry(action)?.mark === 'sells';
}

/** An action in the fan's language; one that this page has no text for yet is shown by its name. */
export function describeAction(texts: Texts, action: string): ActionText {
  const known: Record<string, Pick<ActionText, 'title' | 'detail'> | undefined> = texts.actions;
  const text = known[action] ?? { title: action, detail: texts.consent.otherDetail };
  if (action in texts.actions && action.endsWith(':read')) return { kind: 'see', mark: undefined, ...text };
  return { kind: 'act', mark: texts.marks[scopeEntry(action)?.mark ?? 'changes'], ...text };
}
