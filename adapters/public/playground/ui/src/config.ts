/** The registration of the playground; a partner copies these values from the admin console. */
export interface PlaygroundConfig {
  client_id: string;
  auth_url: string;
  api_url: string;
  login_url: string;
  /** Where the documentation is; absent where it is not served. */
  docs_url?: string;
  redirect_uris: string[];
  scopes: string[];
  /** Null where no test network is up. */
  rpc_url: string | null;
  test_users: TestUser[];
}

export interface TestUser {
  /** The `sub` of its tokens. */
  id: string;
  phone: string;
  code: string;
  wallet_address: string;
}

/** Reads `/playground/config.json`. */
export async function fetchConfig(): Promise<PlaygroundConfig> {
  const response = await fetch(new URL('config.json', document.baseURI));
  if (!response.ok) throw new Error(`config.json: ${response.status} ${response.statusText}`);
  return (await response.json()) as PlaygroundConfig;
}

/** Address of the playground, with a slash at the end: links to its steps, such as `#tokens`, begin with it. */
export const HOME_URL = new URL('./', document.baseURI).href;
export const CALLBACK_URL = `${HOME_URL}callback`;
