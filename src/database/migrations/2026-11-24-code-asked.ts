/** Which number a sign-in last asked a code for, so that of two calls at once only one sends it. */
export const CODE_ASKED = [
  `alter table "authorization_session" add "asked_phone" varchar(16) null, add "asked_at" timestamptz null`,
];
