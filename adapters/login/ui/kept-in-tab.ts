/**
 * What this tab keeps of a sign-in, so that a reload loses nothing: what the fan typed and ticked, and the way back to
 * the partner for when the session can't be asked any more. The server keeps the step; it tells the number only masked.
 */

import type { PhoneDraft } from '../../page-kit/phone/phone-field.tsx';
import type { Grant, Session } from './api.ts';

/** What of the session is needed after its end. */
export type KeptPartner = Pick<Session, 'clientName' | 'logo' | 'mode' | 'uiLocales' | 'returnTo'>;

export type Kept = {
  partner?: KeptPartner;
  /** The field of the phone step. */
  draft?: PhoneDraft;
  /** Where the last code went, in E.164; forgotten as soon as the code is right. */
  phone?: string;
  choice?: Grant;
};

const keyOf = (sessionId: string): string => `sign-in:${sessionId}`;

/** Nothing, where the browser allows pages no storage. */
export function recall(sessionId: string): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? '{}');
  } catch {
    return {};
  }
}

/** Keeps some of it beside the rest; `undefined` forgets. */
export function keep(sessionId: string, part: Kept): void {
  try {
    sessionStorage.setItem(keyOf(sessionId), JSON.stringify({ ...recall(sessionId), ...part }));
  } catch {
    // The sign-in works without: after a reload something has to be typed again.
  }
}
