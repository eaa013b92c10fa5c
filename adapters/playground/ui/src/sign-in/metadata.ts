import { jsonOf } from '../calls/call.ts';
import { send } from '../calls/send.ts';
import type { PlaygroundConfig } from '../config.ts';

/** The discovery document, as far as a partner needs it. @see OIDC Discovery 1.0 §3 */
export interface Metadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  revocation_endpoint: string;
  jwks_uri: string;
  authorization_response_iss_parameter_supported?: boolean;
}

let known: Promise<Metadata> | undefined;

/** Reads the discovery document, once. @throws Error where it can not be read, or names another issuer */
export function metadataOf({ auth_url }: Pick<PlaygroundConfig, 'auth_url'>): Promise<Metadata> {
  known ??= discover(auth_url).catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function discover(issuer: string): Promise<Metadata> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const { answer } = await send('Discovery', { method: 'GET', url, headers: {} });
  const metadata = jsonOf(answer) as Metadata | undefined;
  if (answer.status !== 200 || metadata === undefined) throw new Error(`${url} answered ${answer.status}.`);
  if (metadata.issuer !== issuer) throw new Error(`${url} names another issuer: ${metadata.issuer}`);
  return metadata;
}
