import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { Connection } from '@solana/web3.js';
import { createGateway } from '../../../src/chain/gateway/gateway.ts';
import { requireReadable } from '../../../src/chain/gateway/read-accounts.ts';
import type { Postgres } from '../../support/postgres.ts';
import { transfersOf } from '../../support/signatures-of.ts';
import type { Ledger } from '../drive/ledger.ts';
import type { Stand } from '../stand/stand.ts';
import { problemsOf } from './judge-grants.ts';

/** Longer than the job that settles claims waits. */
const SETTLED_WITHIN_MS = 90_000;
/** Until what landed last is taken in. */
const SYNCED_WITHIN_MS = 20_000;

/** Compares what partners were told of claims with the database, and both with the network. */
export async function judgeClaims(
  ledger: Ledger,
  stand: Stand,
  postgres: Postgres,
  settledWithinMs = SETTLED_WITHIN_MS,
): Promise<{ claims: number; problems: string[] }> {
  const began = performance.now();
  const isOver = (limit: number) => performance.now() - began > limit;
  while ((await openClaims(postgres)) > 0 && !isOver(settledWithinMs)) await sleep(500);
  const waited = Math.round((performance.now() - began) / 1_000);
  if (waited > 1) stand.notes.push(`claims settled ${waited} s later`);
  const stuck = await openClaims(postgres);

  const claims = await postgres.run<{ signature: string; state: string; audited: number }>(
    `select cl.signature, cl.state,
       (select count(*)::int from audit_entry a where a.subject = cl.signature) as audited from claim cl`,
  );
  const stateOf = new Map(claims.map(({ signature, state }) => [signature, state]));
  const connection = new Connection(stand.rpcUrl, 'confirmed');
  const landed = (await Promise.all(stand.permits.map((permit) => transfersOf(connection, permit)))).flat();
  const confirmed = claims.filter(({ state }) => state === 'confirmed').map(({ signature }) => signature);
  const problems = [
    ...(stuck > 0 ? [`${stuck} × claims stuck`] : []),
    ...problemsOf({
      'claims answered 200 that are not confirmed': ledger.claimed.filter((id) => stateOf.get(id) !== 'confirmed'),
      'claims confirmed that are not on the network': confirmed.filter((id) => !landed.includes(id)),
      'transfers on the network that are no confirmed claim': landed
        .map((id) => stateOf.get(id) ?? 'no claim')
        .filter((state) => state !== 'confirmed'),
      'transfers that landed twice': landed.filter((id, index) => landed.indexOf(id) !== index),
      'claims not audited once': claims
        .filter(({ audited }) => audited !== 1)
        .map(({ state, audited }) => `${state} ${audited}`),
    }),
    ...(await judgeOwners(stand, postgres)),
  ];
  return { claims: claims.length, problems };
}

async function openClaims(postgres: Postgres): Promise<number> {
  const [row] = await postgres.run<{ open: number }>(
    `select count(*)::int as open from claim where state in ('pending', 'submitted')`,
  );
  return row?.open ?? 0;
}

/** The owners of the tickets, here and on the network. */
async function judgeOwners(stand: Stand, postgres: Postgres): Promise<string[]> {
  const gateway = createGateway({ rpcUrl: stand.rpcUrl, programId: LOCAL_PROGRAM_ID });
  for (const end = performance.now() + SYNCED_WITHIN_MS; ; await sleep(500)) {
    const stored = await postgres.run<{ permit: string; owner: string | null }>(
      `select p.tix_permit_id as permit, w.address as owner from permit p join ticket t on t.id = p.ticket_id
       left join wallet w on w.fan_id = t.owner_id order by 1`,
    );
    const accounts = await gateway.permits(stored.map(({ permit }) => permit));
    const wrong = stored.filter(({ owner }, index) => requireReadable(accounts[index])?.owner !== owner);
    if (wrong.length > 0 && performance.now() <= end) continue;
    return problemsOf({ 'tickets with another owner than on the network': wrong.map(({ permit }) => permit) });
  }
}
