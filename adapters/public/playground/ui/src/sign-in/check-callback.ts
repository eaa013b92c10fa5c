import type { Attempt } from './attempt.ts';

/** One thing that a partner checks, and how it went. */
export interface Check {
  name: string;
  passed: boolean;
  detail: string;
}

interface Expected {
  attempt: Pick<Attempt, 'state'> | undefined;
  issuer: string;
  /** `authorization_response_iss_parameter_supported` of the metadata. */
  sendsIssuer: boolean;
}

/**
 * The checks of a callback before its code may be exchanged.
 * @see OAuth 2.0 Security BCP (RFC 9700) §2.1, RFC 9207 §2.4
 */
export function checkCallback(parameters: [string, string][], { attempt, issuer, sendsIssuer }: Expected): Check[] {
  const query = new URLSearchParams(parameters);
  return [
    checkOnce(query),
    checkState(query.get('state'), attempt),
    checkIssuer(query.get('iss'), issuer, sendsIssuer),
    checkCode(query),
  ];
}

function checkOnce(query: URLSearchParams): Check {
  const repeated = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1);
  return {
    name: 'No parameter is repeated',
    passed: repeated.length === 0,
    detail: repeated.length === 0 ? 'Each one occurs once.' : `Repeated: ${repeated.join(', ')}.`,
  };
}

function checkState(given: string | null, attempt: Expected['attempt']): Check {
  const name = 'state is the one that was sent';
  if (attempt === undefined) {
    return { name, passed: false, detail: 'This tab has begun no sign-in, so there is nothing to compare it with.' };
  }
  if (given === (attempt.state ?? null)) return { name, passed: true, detail: 'Both are the same.' };
  return {
    name,
    passed: false,
    detail: `Sent ${attempt.state ?? 'none'}, got ${given ?? 'none'}. Do not exchange the code.`,
  };
}

function checkIssuer(given: string | null, issuer: string, sendsIssuer: boolean): Check {
  const name = 'iss is the issuer';
  if (given === issuer) return { name, passed: true, detail: `It is ${issuer}.` };
  if (given !== null) return { name, passed: false, detail: `Expected ${issuer}, got ${given}.` };
  return sendsIssuer
    ? { name, passed: false, detail: `The metadata announces it, but it is missing. Expected ${issuer}.` }
    : { name, passed: true, detail: 'This issuer’s metadata does not announce the parameter, and it is not there.' };
}

function checkCode(query: URLSearchParams): Check {
  const name = 'There is a code, and no error';
  const error = query.get('error');
  if (error !== null) {
    return { name, passed: false, detail: `${error}: ${query.get('error_description') ?? 'without a description'}` };
  }
  const has = query.get('code') !== null;
  return { name, passed: has, detail: has ? 'It can be exchanged once, within 60 seconds.' : 'The code is missing.' };
}
