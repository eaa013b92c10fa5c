import * as oidc from 'openid-client';
import { askProvider } from './identity-provider.ts';

/** The person who signed in, as the provider describes them. */
export interface Person {
  subject: string;
  name: string;
  email: string | null;
  groups: string[];
  /** Unix seconds; undefined where the provider omits it. */
  authTime: number | undefined;
  idToken: string;
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;
type Claims = Record<string, unknown>;

/** The claims of the ID token, and those of userinfo where one of `needed` is missing. @throws as `askProvider` */
export async function readClaims(
  client: oidc.Configuration,
  tokens: Tokens,
  needed: readonly string[],
): Promise<Claims & oidc.IDToken> {
  const idToken = tokens.claims();
  if (!idToken) throw new Error('the client library let an answer without an ID token pass');
  const complete = needed.every((name) => idToken[name] !== undefined);
  const more =
    complete || client.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await askProvider(() => oidc.fetchUserInfo(client, tokens.access_token, idToken.sub));
  return { ...more, ...idToken };
}

/** Reads the ID token, and userinfo for missing claims: many providers leave groups out. @throws as `askProvider` */
export async function readPerson(client: oidc.Configuration, tokens: Tokens, groupsClaim: string): Promise<Person> {
  const claims = await readClaims(client, tokens, [groupsClaim, 'name']);
  if (!tokens.id_token) throw new Error('the client library let an answer without an ID token pass');
  const email = textOf(claims, 'email');
  const name = textOf(claims, 'name') ?? textOf(claims, 'preferred_username') ?? email ?? claims.sub;
  return {
    subject: claims.sub,
    name: name.slice(0, 200),
    email: email?.slice(0, 320) ?? null,
    groups: groupsOf(claims[groupsClaim]),
    authTime: claims.auth_time,
    idToken: tokens.id_token,
  };
}

function textOf(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A list, or one group as a string. */
function groupsOf(claim: unknown): string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((group) => typeof group === 'string');
}
