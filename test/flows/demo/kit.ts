import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from './narrate.ts';

/** What `npm start` wrote for a newcomer. */
export interface Kit {
  client_id: string;
  test_users: { phone: string; code: string; wallet_address: string }[];
  auth_url: string;
  api_url: string;
  login_url: string;
  rpc_url: string | null;
}

export async function readKit(dataDir: string): Promise<Kit> {
  const file = join(dataDir, 'starter-kit.json');
  const text = await readFile(file, 'utf8').catch(() =>
    fail(`There is no ${file}: start the server first (npm start).`),
  );
  return JSON.parse(text);
}
