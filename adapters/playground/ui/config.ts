/** The registration of the playground; a partner copies these values from the admin console. */
export type PlaygroundConfig = {
  client_id: string;
  auth_url: string;
  api_url: string;
  scopes: string[];
  test_users: { phone: string; code: string }[];
};

/** Reads `/playground/config.json`. */
export async function fetchConfig(): Promise<PlaygroundConfig> {
  const response = await fetch(new URL('config.json', document.baseURI));
  if (!response.ok) throw new Error(`config.json: ${response.status} ${response.statusText}`);
  return (await response.json()) as PlaygroundConfig;
}
