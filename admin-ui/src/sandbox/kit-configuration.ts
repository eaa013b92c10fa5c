/** `StarterKit.configuration`: what a developer's app needs. */
export interface KitConfiguration {
  client_id: string;
  redirect_uris: string[];
  scopes: string[];
  test_users: { phone: string; code: string; wallet_address: string }[];
  auth_url: string;
  api_url: string;
  login_url: string;
  rpc_url: string | null;
}

/** As lines of a `.env` file; values with a space are quoted. */
export function asEnvironment(configuration: KitConfiguration): string {
  const { client_id, redirect_uris, scopes, auth_url, api_url, rpc_url, test_users } = configuration;
  const [user] = test_users;
  const values: [string, string | null | undefined][] = [
    ['FAN_CLIENT_ID', client_id],
    ['FAN_ISSUER', auth_url],
    ['FAN_API_URL', api_url],
    ['FAN_REDIRECT_URI', redirect_uris[0]],
    ['FAN_SCOPES', scopes.join(' ')],
    ['FAN_MODE', 'sandbox'],
    ['FAN_TEST_PHONE', user?.phone],
    ['FAN_TEST_CODE', user?.code],
    ['FAN_TEST_WALLET', user?.wallet_address],
    ['SOLANA_RPC_URL', rpc_url],
  ];
  return values
    .flatMap(([name, value]) => (value ? [`${name}=${/\s/.test(value) ? `"${value}"` : value}`] : []))
    .join('\n');
}
