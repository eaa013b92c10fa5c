import { decodeAddress } from '@fan-api/solana-wire/base58';
import { nameFault } from '../../platform/identifier/name-fault.ts';
import type { Mode } from '../../platform/mode.ts';
import { isLoopbackLiteral, originsOf, redirectUriFault } from '../redirect-uri.ts';
import { scopeEntry } from '../scope-table.ts';
import { ALL_SCOPES, REQUIRED_ACTIONS } from '../scopes.ts';

/** What staff register. Everything but the mode can be edited. */
export interface ClientRegistration {
  /** 1 to 120 characters; fans see it. */
  name: string;
  mode: Mode;
  redirectUris: string[];
  scopes: string[];
  /** RFC 8252 §7.3: any port on 127.0.0.1 and [::1]; off by default. */
  loopbackAnyPort?: boolean;
  /** Seconds, 0 to 30; 0 by default. */
  refreshRetryWindow?: number;
  /** The company's privacy page, by the rules of redirect URIs. Empty by default. */
  privacyUrl?: string;
  /** Addresses of the marketplaces that it sells on, base58, at most 20; empty by default: on any. */
  marketplaces?: string[];
}

interface Linted {
  value: string;
  /** Continues a sentence: `has a fragment`. */
  fault: string | undefined;
}

/** The fault of each field; undefined where there is none. */
export interface RegistrationLint {
  name: string | undefined;
  redirectUris: Linted[];
  /** Of the whole list. */
  redirectUrisFault: string | undefined;
  scopes: Linted[];
  scopesFault: string | undefined;
  loopbackAnyPort: string | undefined;
  refreshRetryWindow: string | undefined;
  privacyUrl: string | undefined;
  marketplaces: Linted[];
  marketplacesFault: string | undefined;
  /** Of the valid redirect URIs. */
  corsOrigins: string[];
}

export const MAX_REDIRECT_URIS = 50;
export const MAX_MARKETPLACES = 20;
export const MAX_REFRESH_RETRY_WINDOW = 30;

/** Checks every field, so that a form can show each fault in its place. */
export function lintRegistration(registration: ClientRegistration): RegistrationLint {
  const { name, mode, loopbackAnyPort = false, refreshRetryWindow = 0, privacyUrl = '' } = registration;
  const { marketplaces = [] } = registration;
  const uris = registration.redirectUris.slice(0, MAX_REDIRECT_URIS);
  const redirectUris = lintEach(uris, (uri) => redirectUriFault(uri, mode));
  const tooMany = uris.length < registration.redirectUris.length;
  const needless = loopbackAnyPort && !uris.some(isLoopbackLiteral);
  const inWindow = Number.isInteger(refreshRetryWindow) && refreshRetryWindow >= 0;
  return {
    name: nameFault(name),
    redirectUris,
    redirectUrisFault: uris.length < 1 || tooMany ? `must have 1 to ${MAX_REDIRECT_URIS} entries` : undefined,
    // one more than exist, so that a surplus one is reported as unknown or repeated
    scopes: lintEach(registration.scopes.slice(0, ALL_SCOPES.length + 1), scopeFault),
    scopesFault: registration.scopes.length < 1 ? 'must have at least one entry' : undefined,
    loopbackAnyPort: needless ? 'needs a redirect URI on http://127.0.0.1 or http://[::1]' : undefined,
    refreshRetryWindow:
      inWindow && refreshRetryWindow <= MAX_REFRESH_RETRY_WINDOW
        ? undefined
        : `must be whole seconds, 0 to ${MAX_REFRESH_RETRY_WINDOW}`,
    privacyUrl: privacyUrl === '' ? undefined : redirectUriFault(privacyUrl, mode),
    marketplaces: lintEach(marketplaces.slice(0, MAX_MARKETPLACES), marketplaceFault),
    marketplacesFault:
      marketplaces.length > MAX_MARKETPLACES ? `must have at most ${MAX_MARKETPLACES} entries` : undefined,
    corsOrigins: originsOf(redirectUris.filter(({ fault }) => fault === undefined).map(({ value }) => value)),
  };
}

/** The first fault, with the name of its field. @param directOnly leaves out what approval freezes */
export function registrationFault(registration: ClientRegistration, directOnly = false): string | undefined {
  const lint = lintRegistration(registration);
  const direct = [of('name', lint.name), of('refreshRetryWindow', lint.refreshRetryWindow)];
  const frozen = [
    of('redirectUris', lint.redirectUrisFault),
    ...lint.redirectUris.map(({ fault }, index) => of(`redirectUris[${index}]`, fault)),
    ...lint.scopes.map(({ value, fault }) => of(`scopes: ${value.slice(0, 60)}`, fault)),
    of('scopes', lint.scopesFault),
    of('loopbackAnyPort', lint.loopbackAnyPort),
    of('privacyUrl', lint.privacyUrl),
    of('marketplaces', lint.marketplacesFault),
    ...lint.marketplaces.map(({ fault }, index) => of(`marketplaces[${index}]`, fault)),
  ];
  return [...direct, ...(directOnly ? [] : frozen)].find((fault) => fault !== undefined);
}

/**
 * Why a registration can't be approved though nothing in it is wrong: it lists tickets on any marketplace. What was approved before there
 * was the list stays in force until its next edit.
 */
export function approvalFault({
  scopes,
  marketplaces = [],
}: Pick<ClientRegistration, 'scopes' | 'marketplaces'>): string | undefined {
  const lists = scopes.includes(REQUIRED_ACTIONS.createAuthorization);
  return lists && marketplaces.length === 0
    ? `marketplaces must have at least one entry for ${REQUIRED_ACTIONS.createAuthorization}.`
    : undefined;
}

/** An address off the curve may belong to a marketplace's program. Whether somebody can sign for it is judged at each listing (D-120). */
function marketplaceFault(address: string): string | undefined {
  return decodeAddress(address) === undefined ? 'must be an address: 32 bytes in base58' : undefined;
}

function scopeFault(scope: string): string | undefined {
  return scopeEntry(scope) !== undefined ? undefined : 'is not a scope of this server';
}

function lintEach(values: string[], faultOf: (value: string) => string | undefined): Linted[] {
  return values.map((value, index) => ({
    value,
    fault: faultOf(value) ?? (values.indexOf(value) < index ? 'is a duplicate' : undefined),
  }));
}

function of(field: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `${field} ${fault}.`;
}
