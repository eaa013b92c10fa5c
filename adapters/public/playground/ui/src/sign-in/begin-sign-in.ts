import type { PlaygroundConfig } from '../config.ts';
import { metadataOf } from '../partner.ts';
import { change, currentState } from '../state.ts';
import type { Attempt } from './attempt.ts';
import { authorizeUrl, type PieceName, type Pieces, withValues } from './authorize-url.ts';
import { withNewSecrets } from './make-secrets.ts';

/** Remembers the attempt, and sends the browser to the authorize request as it was put together. */
export async function beginSignIn(
  config: PlaygroundConfig,
  pieces: Pieces,
  more: Pick<Attempt, 'spoil' | 'thenStep'> = {},
): Promise<void> {
  const { authorization_endpoint } = await metadataOf(config);
  change({ attempt: attemptOf(pieces, more), callback: undefined });
  location.assign(authorizeUrl(authorization_endpoint, pieces));
}

/** As `beginSignIn`, with some parameters changed for this time and new secrets. */
export async function beginChangedSignIn(
  config: PlaygroundConfig,
  values: Partial<Record<PieceName, string | undefined>>,
  more: Pick<Attempt, 'spoil' | 'thenStep'> = {},
): Promise<void> {
  const pieces = withValues(await withNewSecrets(currentState().pieces), values);
  await beginSignIn(config, pieces, more);
}

/** The attempt that an authorize request begins. */
function attemptOf({ parameters, verifier }: Pieces, more: Pick<Attempt, 'spoil' | 'thenStep'>): Attempt {
  const sentValue = (name: 'state' | 'nonce') => (parameters[name].sent ? parameters[name].value : undefined);
  return {
    verifier,
    state: sentValue('state'),
    nonce: sentValue('nonce'),
    clientId: parameters.client_id.value,
    redirectUri: parameters.redirect_uri.value,
    at: new Date().toISOString(),
    ...more,
  };
}
