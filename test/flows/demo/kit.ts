import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from './narrate.ts';

/** Two fans and a client: what `npm start` wrote for a newcomer, or what an operator wrote for a first sale in production. */
export interface Kit {
  client_id: string;
  /** In production the code comes by SMS. */
  test_users: { phone: string; code?: string }[];
  auth_url: string;
  api_url: string;
  login_url: string;
  rpc_url: string | null;
  /** Of the client; by default the starter kit's. */
  redirect_uri?: string;
  /** By default `sandbox`. */
  mode?: 'sandbox' | 'production';
  /** Path of the keypair that pays the fees and is the marketplace; without it the faucet pays. */
  keypair?: string;
}

/** @param given a file of the same form as the starter kit's */
export async function readKit(dataDir: string, given?: string): Promise<Kit> {
  const file = given ?? join(dataDir, 'starter-kit.json');
  const text = await readFile(file, 'utf8').catch(() =>
    fail(given === undefined ? `There is no ${file}: start the server first (npm start).` : `There is no ${file}.`),
  );
  return JSON.parse(text);
}
