import type { Context } from '../../platform/context.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { spendOnce } from './lost-answer.ts';
import { hashesOf, type RefreshTokenValue } from './refresh-token.ts';
import { type FamilyRow, type GivenRotation, rotate } from './statements.ts';

/** A refresh request whose client and token are well-formed. */
export interface PresentedToken {
  client: Uuid;
  token: RefreshTokenValue;
  narrowed: string[] | undefined;
  now: Date;
}

/** A family after its rotation, and its token. */
export interface Rotated {
  family: FamilyRow;
  value: RefreshTokenValue;
}

/**
 * Replaces a token that is current by its successor.
 * @param repeated the request whose rotation is made again
 * @returns undefined where the token is not current
 * @throws DomainError of `spendOnce`
 */
export async function rotateTo(
  context: Pick<Context, 'pool' | 'config' | 'requestId'>,
  { client, token, narrowed, now }: PresentedToken,
  successor: RefreshTokenValue,
  repeated: string | null = null,
): Promise<Rotated | undefined> {
  const { handleHash, secretHash } = hashesOf(token);
  const next = hashesOf(successor).secretHash;
  const given: GivenRotation = {
    handle_hash: handleHash,
    secret_hash: secretHash,
    client,
    next,
    now,
    narrowed: narrowed?.join(' ') ?? '',
    request: context.requestId,
    repeated,
  };
  const family = await spendOnce(context, rotate, given);
  return family && { family, value: successor };
}
