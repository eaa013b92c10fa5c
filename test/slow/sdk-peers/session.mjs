/** What both trades have in common: sessions of a seller and a buyer. Their tokens and addresses come as JSON on the command line. */
import { memoryTokenStore, openAuthServer, openFanApi, openSession } from '@fan-api/sdk';
import { fileTokenStore } from '@fan-api/sdk/node';

export const given = JSON.parse(process.argv[2]);
export const authServer = openAuthServer(given.client);

export async function openFan(response, store = memoryTokenStore()) {
  const session = openSession({ authServer, store });
  await session.begin({ response, expiresAt: Date.now() + 3_600_000 });
  return { session, fan: openFanApi({ apiUrl: given.apiUrl, session }) };
}

/** Two sessions over one folder refresh at once, and one of them again after a refusal. @returns the access tokens, newest last */
export async function refreshTogether(response) {
  const store = fileTokenStore('tokens');
  const { session } = await openFan(response, store);
  const other = openSession({ authServer, store });
  const both = await Promise.all([session.refresh(), other.refresh()]);
  const tokens = both.map((each) => each.response.access_token);
  return [...new Set(tokens), await session.accessToken({ refused: tokens[0] })];
}
