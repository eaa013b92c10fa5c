import { openAuthServer, openFanApi, openSession, SignInRequiredError, type Ticket } from '@fan-api/sdk';
import { finishRedirect, indexedDbTokenStore, redirectToSignIn } from '@fan-api/sdk/browser';

export interface Page {
  issuer: string;
  apiUrl: string;
  clientId: string;
  /** This page's address. */
  redirectUri: string;
  /** The retry window of your client: have 10 seconds set. */
  retryWindowSeconds: number;
}

/** The fan's tickets; sends the browser to the sign-in first, where that is needed. */
export async function showTickets(page: Page): Promise<Ticket[]> {
  const { issuer, apiUrl, clientId, redirectUri, retryWindowSeconds } = page;
  const authServer = openAuthServer({ issuer, clientId, redirectUri });
  const session = openSession({ authServer, store: indexedDbTokenStore(), retryWindowSeconds });
  const tokens = await finishRedirect(authServer);
  if (tokens !== undefined) await session.begin(tokens);
  try {
    return (await openFanApi({ apiUrl, session }).tickets()).tickets;
  } catch (error) {
    if (!(error instanceof SignInRequiredError)) throw error;
    await redirectToSignIn(authServer, { scope: 'openid offline_access fan:tickets:read' });
    return [];
  }
}
