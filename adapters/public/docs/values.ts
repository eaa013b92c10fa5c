import { API_AUDIENCE } from '../../../src/oauth/token/issue-tokens.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { REDIRECT_URI_OF_SAMPLES, type StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { hostedLanguages } from '../../fan-pages/page-kit/texts/read-catalogues.ts';
import { portalUrl } from '../../fan-pages/portal/surface.ts';

/** What the pages have as `{{name}}`: the addresses of this installation, and what a developer's own machine has besides. */
export function valuesOf(
  config: Pick<
    Config,
    | 'authUrl'
    | 'apiUrl'
    | 'loginUrl'
    | 'docsUrl'
    | 'partnersUrl'
    | 'accessTokenTtl'
    | 'fanRateLimit'
    | 'tokenFailureLimit'
  >,
  kit: StarterKit | undefined,
  playground: string | undefined,
): Record<string, string> {
  const { authUrl, apiUrl, loginUrl, docsUrl, partnersUrl } = config;
  return {
    auth_url: authUrl,
    api_url: apiUrl,
    login_url: loginUrl,
    docs_url: docsUrl,
    partners_url: partnersUrl,
    portal_url: portalUrl(config),
    home_url: `${authUrl}/`,
    // where the IDL and the clusters are
    origin: new URL(apiUrl).origin,
    playground_url: playground ?? `${new URL(authUrl).origin}/playground`,
    audience: API_AUDIENCE,
    access_token_ttl: String(config.accessTokenTtl),
    fan_rate_limit: config.fanRateLimit.toLocaleString('en'),
    token_failure_limit: config.tokenFailureLimit.toLocaleString('en'),
    ui_locales: hostedLanguages().join(', '),
    client_id: kit?.client_id ?? 'client_YOUR_ID',
    redirect_uri: REDIRECT_URI_OF_SAMPLES,
  };
}
