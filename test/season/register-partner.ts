import type { Keypair } from '@solana/web3.js';
import { Client } from '../../src/entities/client.ts';
import type { ClientRegistration } from '../../src/partners/client/lint-registration.ts';
import { registerClient } from '../../src/partners/client/register-client.ts';
import { takeClientStep } from '../../src/partners/client/take-step.ts';
import { registerPartner } from '../../src/partners/partner/register-partner.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';

/** What a partner has of the company: an enabled production client. */
export interface PartnerAccess {
  name: string;
  clientId: string;
  redirectUri: string;
  /** Pays the partner's fees, and is the marketplace of its listings. */
  wallet: Keypair;
}

/** A refresh whose answer was lost when the service was killed may be sent again. */
export const RETRY_WINDOW_SECONDS = 30;
/** What `npm run demo` asks for beside them, which `--stay` suggests. */
const OF_DEMO = 'profile';
export const SCOPE = 'openid offline_access fan:tickets:read fan:listings:write fan:claims:write';

/** Registers a partner with a production client, which one person submits and another one approves and enables. */
export async function registerPartnerClient(runtime: Runtime, name: string, wallet: Keypair): Promise<PartnerAccess> {
  const context = createContext(runtime, null);
  const redirectUri = `https://${name.toLowerCase().replace(' ', '-')}.example/callback`;
  const partner = await registerPartner(context, name, 'system');
  const registration: ClientRegistration = {
    ...{ name, mode: 'production', redirectUris: [redirectUri], scopes: [...SCOPE.split(' '), OF_DEMO] },
    marketplaces: [wallet.publicKey.toBase58()],
    refreshRetryWindow: RETRY_WINDOW_SECONDS,
  };
  const { id } = registerClient(context, partner, registration, 'staff:stf_ann');
  await context.em.flush();
  const take = (step: 'submit' | 'approve' | 'enable', actor: string, version?: number) =>
    takeClientStep(
      createContext(runtime, null),
      step,
      { clientId: id, reason: 'For the season', ...(version !== undefined && { version }) },
      actor,
    );
  await take('submit', 'staff:stf_ann');
  const { version } = await createContext(runtime, null).em.findOneOrFail(Client, { id });
  await take('approve', 'staff:stf_bob', version);
  await take('enable', 'staff:stf_bob');
  return { name, clientId: id, redirectUri, wallet };
}
