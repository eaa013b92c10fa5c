import { createHash } from 'node:crypto';
import { describePolicy } from '@fan-api/cosign-policy/policy-document';
import type { WithKeys } from '../../keys/key-ring.ts';
import { signJwt } from '../../keys/sign-jwt.ts';
import type { Context } from '../../platform/context.ts';
import { MODES } from '../../platform/mode.ts';

type PublishContext = Pick<Context, 'now' | 'config'> & WithKeys;

/** The co-signing policy of an installation. */
export interface PublishedPolicy {
  /** The policy, and `signed_policy`: a JWT with the same members. */
  readonly document: Record<string, unknown>;
  /** A weak validator (RFC 9110 §8.8.1): it changes with the policy, but not with a new signature. */
  readonly etag: string;
}

/** The policy is signed again after this time, so that `iat` stays recent, and when the signing key changes. */
const SIGNED_FOR_MS = 3_600_000;

/**
 * Publishes the policy with the program of each mode, signed like authorization server metadata: a verifier trusts `signed_policy`, a
 * JWT of type `cosign-policy+jwt`, signed with RS256 by a key of the JWKS.
 * @returns a function that signs only when the last signature is too old; it throws DomainError `unavailable` without a signing key
 * @see RFC 8414 §2.1 (`signed_metadata`), RFC 7515
 */
export function createPolicyPublisher(context: PublishContext): () => Promise<PublishedPolicy> {
  const { chains, authUrl } = context.config;
  const programIds = Object.fromEntries(MODES.map((mode) => [mode, chains[mode].programId ?? null]));
  const policy = { iss: authUrl, ...describePolicy(), program_ids: programIds };
  const etag = `W/"${createHash('sha256').update(JSON.stringify(policy)).digest('base64url')}"`;
  let signed: { readonly kid: string; readonly at: number; readonly policy: PublishedPolicy } | undefined;

  return async () => {
    const { kid } = await context.keys.current();
    const at = context.now().getTime();
    if (signed !== undefined && signed.kid === kid && Math.abs(at - signed.at) < SIGNED_FOR_MS) return signed.policy;
    const payload = { ...policy, iat: Math.floor(at / 1000) };
    const document = { ...payload, signed_policy: await signJwt(context, 'cosign-policy+jwt', payload) };
    signed = { kid, at, policy: { document, etag } };
    return signed.policy;
  };
}
