import type { Texts } from './words.ts';

/** What an action lets a partner do: `see` only looks, `act` does something in the fan's name. */
type ActionText = { kind: 'see' | 'act'; title: string; detail: string };

/** An action in the fan's language; one that this page has no text for yet is shown by its name. */
export function describeAction(texts: Texts, action: string): ActionText {
  const known: Record<string, Omit<ActionText, 'kind'> | undefined> = texts.actions;
  const text = known[action];
  if (text === undefined) return { kind: 'act', title: action, detail: texts.consent.otherDetail };
  return { kind: action.endsWith(':read') ? 'see' : 'act', ...text };
}
