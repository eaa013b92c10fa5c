/**
 * The number of this sign-in, kept in this tab only, so that after a reload another code can be sent without typing it
 * again: the server tells it back only in masked form. Forgotten as soon as the code is right.
 */
const keyOf = (sessionId: string): string => `phone:${sessionId}`;

export const rememberPhone = (sessionId: string, phone: string): void =>
  sessionStorage.setItem(keyOf(sessionId), phone);

export const recallPhone = (sessionId: string): string | undefined =>
  sessionStorage.getItem(keyOf(sessionId)) ?? undefined;

export const forgetPhone = (sessionId: string): void => sessionStorage.removeItem(keyOf(sessionId));
