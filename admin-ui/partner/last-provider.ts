const KEY = 'workspace.provider';

interface LastProvider {
  /** Of the partner. */
  id: string;
  name: string;
}

/** The partner with an own provider whose member was signed in last in this browser. */
export function lastProvider(): LastProvider | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { id, name } = stored as Partial<LastProvider>;
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers it, or forgets the one before where members sign in by e-mail. */
export function keepProvider({ id, name, signIn }: LastProvider & { signIn: 'EMAIL' | 'PROVIDER' }): void {
  try {
    if (signIn === 'PROVIDER') localStorage.setItem(KEY, JSON.stringify({ id, name }));
    else localStorage.removeItem(KEY);
  } catch {
    // the browser's storage is full or switched off: the e-mail form works without
  }
}
