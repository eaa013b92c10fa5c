/**
 * What was typed into a form and not sent, kept in the tab: leaving a view or loading it again loses nothing. A draft is of
 * one person, and of one session at most. Forms with secrets keep none.
 *
 * @module
 */

interface Draft {
  values: object;
  savedAt: number;
}

const PREFIX = 'console.draft.';
/** The longest session. */
const KEPT_FOR_MS = 12 * 3_600_000;

const keyOf = (viewerId: string, form: string) => `${PREFIX}${viewerId}.${form}`;

/** The draft of a form, over the values that it begins with; undefined where there is none. */
export function readDraft<Values extends object>(viewerId: string, form: string, initial: Values): Values | undefined {
  const stored = sessionStorage.getItem(keyOf(viewerId, form));
  if (stored === null) return undefined;
  try {
    const { values, savedAt } = JSON.parse(stored) as Draft;
    const isCurrent = Date.now() - savedAt < KEPT_FOR_MS && sameShape(values, initial);
    return isCurrent ? ({ ...initial, ...values } as Values) : undefined;
  } catch {
    return undefined;
  }
}

/** An update of the console may have changed a form. */
function sameShape(values: object, initial: object): boolean {
  return Object.entries(initial).every(
    ([name, value]) => name in values && kindOf(values[name as keyof typeof values]) === kindOf(value),
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

export function writeDraft(viewerId: string, form: string, values: object): void {
  const draft: Draft = { values, savedAt: Date.now() };
  try {
    sessionStorage.setItem(keyOf(viewerId, form), JSON.stringify(draft));
  } catch {
    // the tab's storage is full or switched off: the form works without
  }
}

export function forgetDraft(viewerId: string, form: string): void {
  sessionStorage.removeItem(keyOf(viewerId, form));
}

/** Forgets the drafts of everybody else, or of everybody at the sign-out. */
export function forgetDrafts(exceptOf?: string): void {
  const kept = exceptOf === undefined ? undefined : keyOf(exceptOf, '');
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && (kept === undefined || !key.startsWith(kept))) sessionStorage.removeItem(key);
  }
}
