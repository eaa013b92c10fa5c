import { Client } from '../../src/entities/client.ts';
import { Partner } from '../../src/entities/partner.ts';
import { registerClient } from '../../src/partners/client/register-client.ts';
import { registerPartner } from '../../src/partners/partner/register-partner.ts';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import { REDIRECT_URI } from './partner.ts';
import type { TestApp } from './start-app.ts';

/** Properties in which a client differs from an ordinary sandbox client of the starter kit's partner. */
export type ClientTraits = Partial<
  Pick<
    Client,
    | 'name'
    | 'mode'
    | 'status'
    | 'redirectUris'
    | 'scopes'
    | 'loopbackAnyPort'
    | 'refreshRetryWindow'
    | 'privacyUrl'
    | 'marketplaces'
  >
>;

/** Registers one more client. @returns its client_id */
export async function makeClient(app: TestApp, traits: ClientTraits = {}): Promise<Id<'client'>> {
  const context = app.context();
  const partner = await context.em.findOneOrFail(Partner, { name: 'Front Row' });
  const { name = 'Side Door', mode = 'sandbox', redirectUris = [REDIRECT_URI], scopes = app.kit.scopes } = traits;
  const client = registerClient(context, partner, { name, mode, redirectUris, scopes }, 'system');
  Object.assign(client, traits);
  await context.em.flush();
  return client.id;
}

/** Registers one more partner. */
export async function newPartner(app: TestApp, name = `Partner ${crypto.randomUUID()}`): Promise<Partner> {
  const context = app.context();
  const partner = await registerPartner(context, name, 'system');
  await context.em.flush();
  return partner;
}

/** Changes a client, as staff may. */
export async function changeClient(app: TestApp, clientId: Id<'client'>, traits: ClientTraits): Promise<void> {
  await app.context().em.nativeUpdate(Client, { id: clientId }, traits);
}
