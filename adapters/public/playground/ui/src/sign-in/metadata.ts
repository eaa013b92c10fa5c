import type { PlaygroundConfig } from '../config.ts';
import { authServerOf } from '../partner.ts';

/** The discovery document, as far as the playground uses it by itself. @see OIDC Discovery 1.0 §3 */
export interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  jwks_uri: string;
  authorization_response_iss_parameter_supported?: boolean;
}

/** Reads the discovery document, once. @throws Error where it can not be read, or names another issuer */
export async function metadataOf(config: PlaygroundConfig): Promise<Metadata> {
  return (await authServerOf(config).metadata()) as Metadata;
}
