/**
 * How many codes are being looked at, so that a call that finds no try left can tell a used-up sign-in from one that is
 * about to move on.
 */
export const TRIES_UNDER_WAY = [
  `alter table "authorization_session" add "tries_under_way" int not null default 0`,
  `alter table "portal_session" add "tries_under_way" int not null default 0`,
];
