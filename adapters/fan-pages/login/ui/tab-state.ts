import type { PhoneDraft } from '../../page-kit/phone/phone-field.tsx';
import type { GrantBy, Session } from './api.ts';

/** The parts of the session that the page needs after its end. */
export type Partner = Pick<Session, 'clientName' | 'logo' | 'mode' | 'uiLocales' | 'returnTo'>;

/**
 * What this tab stores of a sign-in, so that a reload loses no input and the way back to the partner survives the session.
 * The server stores the step, and shows the number only masked.
 */
type TabState = {
  partner?: Partner;
  /** The field of the phone step. */
  draft?: PhoneDraft | undefined;
  /** Where the last code went, in E.164; removed as soon as the code is right. */
  phone?: string | undefined;
  /** What was ticked, and for which fan. */
  choice?: GrantBy | undefined;
};

const keyOf = (sessionId: string): string => `sign-in:${sessionId}`;

/** Empty where the browser allows pages no storage. */
export function readTabState(sessionId: string): TabState {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? '{}');
  } catch {
    return {};
  }
}

/** Changes the given fields; `undefined` removes one. */
export function saveTabState(sessionId: string, changes: TabState): void {
  try {
    sessionStorage.setItem(keyOf(sessionId), JSON.stringify({ ...readTabState(sessionId), ...changes }));
  } catch {
    // The sign-in works without it: after a reload something has to be typed again.
  }
}
