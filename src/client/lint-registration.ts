import type { Mode } from '../entities/mode.ts';
import { nameFault } from '../identifier/name-fault.ts';
import { isLoopbackLiteral, originsOf, redirectUriFault } from '../oauth/redirect-uri.ts';
import { ALL_SCOPES } from '../oauth/scopes.ts';

/** What staff register of a client, and may edit but for the mode. */
export interface ClientRegistration {
  /** 1 to 120 characters; fans see it. */
  name: string;
  mode: Mode;
  redirectUris: string[];
  scopes: string[];
  /** RFC 8252 §7.3: any port on 127.0.0.1 and [::1]; off where it is not given. */
  loopbackAnyPort?: boolean;
  /** Seconds, 0 to 30; 0 where it is not given. */
  refreshRetryWindow?: number;
}

/** Something that is wrong with an entry of a list, in words that continue a sentence: `has a fragment`. */
interface Linted {
  value: string;
  fault: string | undefined;
}

/** What is wrong with a registration, part by part. */
export interface RegistrationLint {
  name: string | undefined;
  /** Each redirect URI of the registration, in its order. */
  redirectUris: Linted[];
  /** Of the list as a whole. */
  redirectUrisFault: string | undefined;
  scopes: Linted[];
  scopesFault: string | undefined;
  loopbackAnyPort: string | undefined;
  refreshRetryWindow: string | undefined;
  /** Origins from which its pages may call, as far as the redirect URIs are good. */
  corsOrigins: string[];
}

export const MAX_REDIRECT_URIS = 50;
export const MAX_REFRESH_RETRY_WINDOW = 30;

/** Looks at every part of a registration, so that a form can show each fault at its place while it is typed. */
export function lintRegistration(registration: ClientRegistration): RegistrationLint {
  const { name, mode, loopbackAnyPort = false, refreshRetryWindow = 0 } = registration;
  const uris = registration.redirectUris.slice(0, MAX_REDIRECT_URIS);
  const redirectUris = lintEach(uris, (uri) => redirectUriFault(uri, mode));
  const tooMany = uris.length < registration.redirectUris.length;
  const needless = loopbackAnyPort && !uris.some(isLoopbackLiteral);
  const inWindow = Number.isInteger(refreshRetryWindow) && refreshRetryWindow >= 0;
  return {
    name: nameFault(name),
    redirectUris,
    redirectUrisFault: uris.length < 1 || tooMany ? `must have 1 to ${MAX_REDIRECT_URIS} entries` : undefined,
    // one more than there are, so that the one too many is told as unknown or there twice
    scopes: lintEach(registration.scopes.slice(0, ALL_SCOPES.length + 1), scopeFault),
    scopesFault: registration.scopes.length < 1 ? 'must have at least one entry' : undefined,
    loopbackAnyPort: needless ? 'needs a redirect URI on http://127.0.0.1 or http://[::1]' : undefined,
    refreshRetryWindow:
      inWindow && refreshRetryWindow <= MAX_REFRESH_RETRY_WINDOW
        ? undefined
        : `must be whole seconds, 0 to ${MAX_REFRESH_RETRY_WINDOW}`,
    corsOrigins: originsOf(redirectUris.filter(({ fault }) => fault === undefined).map(({ value }) => value)),
  };
}

/** The first fault of a registration, with the name of its field; undefined where there is none. */
export function registrationFault(registration: ClientRegistration): string | undefined {
  const lint = lintRegistration(registration);
  const [fault] = [
    of('name', lint.name),
    of('redirectUris', lint.redirectUrisFault),
    ...lint.redirectUris.map(({ fault }, index) => of(`redirectUris[${index}]`, fault)),
    ...lint.scopes.map(({ value, fault }) => of(`scopes: ${value.slice(0, 60)}`, fault)),
    of('scopes', lint.scopesFault),
    of('loopbackAnyPort', lint.loopbackAnyPort),
    of('refreshRetryWindow', lint.refreshRetryWindow),
  ].filter((found) => found !== undefined);
  return fault;
}

function scopeFault(scope: string): string | undefined {
  return ALL_SCOPES.includes(scope) ? undefined : 'is not a scope of this server';
}

function lintEach(values: string[], faultOf: (value: string) => string | undefined): Linted[] {
  return values.map((value, index) => ({
    value,
    fault: faultOf(value) ?? (values.indexOf(value) < index ? 'is there twice' : undefined),
  }));
}

function of(field: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `${field} ${fault}.`;
}
