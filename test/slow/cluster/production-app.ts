import { openChains } from '../../../adapters/process/open-chains.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { applyRows } from '../../../src/inventory/apply-rows.ts';
import type { RowResult } from '../../../src/inventory/row-result.ts';
import { CHAIN_SCOPE, type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import { authorize, codeForm, consent, login, postForm, type Tokens } from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import { startRpcProxy } from '../../support/rpc-proxy.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { openForeignCluster } from './foreign-cluster.ts';
import { type CompanyKeys, setUpProgram } from './set-up-program.ts';

/** The service with its production on a real validator, one enabled production client, and nothing in production yet. */
export interface ProductionApp extends ChainApp {
  /** Brings rows as the company's systems do. */
  bring(rows: readonly unknown[]): Promise<RowResult[]>;
  /** A fan whom rows have named, and who signs in with a code by SMS. */
  fan(phone: string): Promise<User>;
  /** A ticket that rows have brought, by its reference. */
  ticket(reference: string): Promise<TestTicket>;
}

export async function startProductionApp(keys: CompanyKeys): Promise<ProductionApp> {
  const network = await openForeignCluster();
  const proxy = await startRpcProxy(network.url);
  const env = {
    // the sandbox is not part of this story: its program is not there
    SANDBOX_RPC_URL: proxy.url,
    SANDBOX_PROGRAM_ID: keys.admin.publicKey.toBase58(),
    PRODUCTION_RPC_URL: proxy.url,
    PRODUCTION_PROGRAM_ID: keys.program.publicKey.toBase58(),
    ACCESS_TOKEN_TTL: '3600',
  };
  let app: TestApp;
  try {
    app = await startApp({ env });
    await setUpProgram(app, 'production', keys);
  } catch (error) {
    await network.remove();
    throw error;
  }
  const opened = await openChains(app.runtime);
  app.runtime.chains = opened.chains;
  const chain = opened.chains.production;
  if (chain === undefined) throw new Error('production has no chain');
  const client = await enableProductionClient(app);
  const codeFor = readCodesFromLog(app);

  async function tokensOf(phone: string): Promise<Tokens> {
    const started = await authorize(app, { ...client, scope: CHAIN_SCOPE });
    await login(app, started, 'phone.sendCode', { phone });
    await login(app, started, 'phone.verifyCode', { code: codeFor(phone) });
    const callback = await consent(app, started);
    const code = callback.searchParams.get('code') ?? '';
    const answer = await postForm(app, '/oauth2/token', codeForm({ ...started, code }));
    if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer.body)}`);
    return answer.body as unknown as Tokens;
  }

  return {
    ...app,
    network,
    proxy,
    chain,
    connection: network.connection,
    users: [] as unknown as ChainApp['users'],
    bring: (given) => applyRows(app.context(), given, { actor: 'staff:test', requestId: 'req-production' }),
    async fan(phone) {
      const [found] = await rows<{ id: string; address: string }>(
        app,
        "select f.id, w.address from fan f join wallet w on w.fan_id = f.id where f.mode = 'production' and f.phone = $1",
        [phone],
      );
      if (!found) throw new Error(`no row has named ${phone}`);
      let tokens: Promise<Tokens> | undefined;
      return {
        id: found.id,
        phone,
        code: '',
        wallet_address: found.address,
        tokens() {
          tokens ??= tokensOf(phone);
          return tokens;
        },
      };
    },
    async ticket(reference) {
      const context = app.context();
      const filter = { ticket: { reference } };
      const permit = await context.em.findOneOrFail(Permit, filter, { populate: ['ticket.ticketType.event'] });
      return {
        id: permit.ticket.id,
        tixEventId: permit.ticket.ticketType.event.tixEventId,
        tixTicketId: permit.ticket.tixTicketId,
        permit: permit.tixPermitId,
      };
    },
    async stop() {
      await opened.close();
      await app.stop();
      await proxy.stop();
      await network.remove();
    },
  };
}
