/** A partner's app on `openid-client`, with the usual locks and limits, and some faults to choose from. It uses no code of `src/`. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import * as oidc from 'openid-client';
import { discover, sendFan } from '../openid-partner.ts';

export interface Faults {
  /** Believes every callback. */
  noState?: true;
  /** Each caller refreshes by itself. */
  doubleRefresh?: true;
  /** Sends no nonce. */
  noNonce?: true;
}

export interface Addresses {
  issuer: string;
  apiUrl: string;
  rpcUrl: string;
}

export async function startPartnerApp(addresses: Addresses, clientId: string, faults: Faults = {}) {
  let config = await discover(addresses.issuer, clientId);
  let tokens: oidc.TokenEndpointResponse | undefined;
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    tokens = await oidc.refreshTokenGrant(config, tokens?.refresh_token ?? '');
  }
  /** One refresh at a time; who comes later waits for it. */
  function refreshOnce(): Promise<void> {
    if (faults.doubleRefresh) return refresh();
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }
  function send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${tokens?.access_token}` };
    return fetch(`${addresses.apiUrl}${path}`, { ...init, headers });
  }
  async function call(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
    let answer = await send(path, init);
    if (answer.status === 401) {
      await refreshOnce();
      answer = await send(path, init);
    } else if (answer.status === 429) {
      await pause(Number(answer.headers.get('retry-after')) * 1000);
      answer = await send(path, init);
    }
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  }
  return {
    /** Forgets the keys that it has read. */
    async restart() {
      config = await discover(addresses.issuer, clientId);
    },
    /** @throws Error where it does not believe an answer */
    async signIn() {
      tokens = undefined;
      const found = await signIn(config, faults);
      await oidc.fetchUserInfo(config, found.access_token, found.claims()?.sub ?? '');
      tokens = found;
    },
    call,
    /** Lists something, and sends the co-signed transaction to the cluster. */
    async list() {
      const unsigned = someTransaction();
      const { transactions } = (await call('/authorizations', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'list', transactions: [unsigned.toString('hex')] }),
      })) as { transactions: string[] };
      const signed = Buffer.from(transactions[0] ?? '', 'hex');
      if (!messageOf(signed).equals(messageOf(unsigned))) throw new Error('the listing was changed on its way');
      const params = [signed.toString('base64'), { encoding: 'base64' }];
      await fetch(addresses.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
      });
    },
  };
}

async function signIn(config: oidc.Configuration, faults: Faults) {
  const { answer, checks } = await sendFan(config, {}, !faults.noNonce);
  const callback = new URL(answer.headers.get('location') ?? '');
  const expectedState = faults.noState ? oidc.skipStateCheck : checks.expectedState;
  const tokens = await oidc.authorizationCodeGrant(config, callback, { ...checks, expectedState });
  const atHash = tokens.claims()?.at_hash;
  if (atHash !== undefined && atHash !== leftHalf(tokens.access_token)) throw new Error('at_hash is wrong');
  return tokens;
}

function leftHalf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

/** What a listing is made of does not matter here. */
function someTransaction(): Buffer {
  const payer = Keypair.generate();
  const transfer = { fromPubkey: payer.publicKey, toPubkey: Keypair.generate().publicKey, lamports: 5 };
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: payer.publicKey.toBase58() });
  transaction.add(SystemProgram.transfer(transfer));
  transaction.sign(payer);
  return transaction.serialize();
}

function messageOf(bytes: Buffer): Buffer {
  return Transaction.from(bytes).serializeMessage();
}
