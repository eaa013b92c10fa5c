import type { Context } from '../../platform/context.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { untilKnown } from '../../platform/until-known.ts';
import { askToRepeat } from './lost-answer.ts';
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
 * @throws DomainError `unavailable` where this call may have rotated it itself, without having seen the answer
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
  const { result: family, again } = await untilKnown(context, (again) =>
    again || repeated !== null ? rotate.alone(context.pool, given) : rotate.together(context.pool, given),
  );
  if (family === undefined && again) throw askToRepeat();
  return family && { family, value: successor };
}
