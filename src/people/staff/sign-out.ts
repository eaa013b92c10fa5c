import { buildEndSessionUrl } from 'openid-client';
import type { AccountSession } from '../../entities/account.ts';
import { unseal, type WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { endBrowserSession } from '../account/sessions.ts';
import { companyProvider } from './provider-sign-in.ts';

/** The post-logout redirect URI. */
function signedOutUrl({ adminUrl }: Pick<Context['config'], 'adminUrl'>): string {
  return `${adminUrl}/auth/signed-out`;
}

/**
 * Ends the session of a browser here, and at the provider by a redirect.
 * @returns where to send the browser
 * @see OpenID Connect RP-Initiated Logout 1.0 §2
 */
export async function endSession(
  context: Pick<Context, 'em' | 'now' | 'requestId' | 'config' | 'log'> & WithSecrets,
  secret: string | undefined,
): Promise<string> {
  const session = await endBrowserSession(context, 'staff', secret);
  return (session && (await providerLogout(context, session))) ?? signedOutUrl(context.config);
}

/** The session has ended here already, so an unavailable provider is no failure. */
async function providerLogout(
  context: Pick<Context, 'config' | 'log'> & WithSecrets,
  { secretHash, sealedIdToken }: AccountSession,
): Promise<string | undefined> {
  if (!sealedIdToken || !context.config.staffProvider) return undefined;
  try {
    const { client } = await companyProvider(context);
    if (client.serverMetadata().end_session_endpoint === undefined) return undefined;
    const idToken = Buffer.from(await unseal(context.secrets, secretHash, sealedIdToken)).toString();
    return buildEndSessionUrl(client, {
      id_token_hint: idToken,
      post_logout_redirect_uri: signedOutUrl(context.config),
    }).href;
  } catch (err) {
    context.log.warn({ err }, "the staff provider's logout can't be reached");
    return undefined;
  }
}
