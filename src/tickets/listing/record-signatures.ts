import { hash } from 'node:crypto';
import type { ListingAction } from '@fan-api/cosign-policy/actions';
import { type JudgedListing, marketplacesOf } from '@fan-api/cosign-policy/judge-listing-transactions';
import { POLICY_VERSION } from '@fan-api/cosign-policy/policy-version';
import type { GrantAccess } from '../../oauth/grant/grant-access.ts';
import { grantRevoked } from '../../oauth/grant/live-grant.ts';
import { actionNotGranted } from '../../oauth/grant/permission.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { idOf } from '../../platform/identifier/type-id.ts';
import { type Recorded, record, recordedAmong } from './statements.ts';

export interface RecordingRequest {
  action: ListingAction;
  judged: readonly JudgedListing[];
  /** The fan's wallet and the authorities: the only addresses of this service that a transaction may name. */
  declared: readonly string[];
  /** Whether the earlier checks passed. Otherwise nothing is recorded. */
  allowed: boolean;
}

/**
 * Records what is about to be signed, all or nothing. It records nothing where the request is not allowed, the grant is not live or lacks a
 * permit, co-signing is stopped, or an address is refused.
 * @throws DomainError `grant_revoked` or `action_not_granted` where the grant changed meanwhile
 */
export async function recordSignatures(
  { pool, now, requestId }: Pick<Context, 'pool' | 'now' | 'requestId'>,
  access: GrantAccess,
  { action, judged, declared, allowed }: RecordingRequest,
): Promise<Recorded> {
  const undeclared = new Set(judged.flatMap(({ addresses }) => addresses.filter((each) => !declared.includes(each))));
  const recorded = await record(
    pool,
    judged.map(({ permit }) => permit),
    {
      grant: access.grant_id,
      at: now(),
      action,
      actor: `fan:${idOf('usr', access.fan_id)}`,
      grant_name: idOf('grant', access.grant_id),
      policy: POLICY_VERSION,
      request: requestId,
      allowed,
      signatures: judged.map(({ messageBytes, sentence, permit }) => {
        return { message_hash: hashOfMessage(messageBytes), permit, sentence };
      }),
      addresses: [...undeclared],
      marketplaces: marketplacesOf(judged),
    },
  );
  if (!recorded?.live) throw grantRevoked();
  if (!recorded.granted) throw actionNotGranted(REQUIRED_ACTIONS.createAuthorization);
  return recorded;
}

/** Returns for each message whether its signatures were recorded before. */
export async function areRecorded(
  { pool }: Pick<Context, 'pool'>,
  messages: readonly Uint8Array[],
): Promise<boolean[]> {
  const hashes = messages.map(hashOfMessage);
  const found = new Set((await recordedAmong(pool, [hashes])).map(({ message_hash: each }) => each));
  return hashes.map((each) => found.has(each));
}

function hashOfMessage(message: Uint8Array): string {
  return hash('sha256', message, 'base64url');
}
