import { newId, uuidOf } from '../../../src/identifier/type-id.ts';
import type { Market } from './market.ts';

/** The server's tables that a claim writes, with their indexes and, where it reads them, their rows. No job works on copies. */
const TABLES = [
  'create table if not exists floor_claim (like claim including all)',
  'create table if not exists floor_audit (like audit_entry including all)',
  'create table if not exists floor_listing (like listing including all)',
  'create table if not exists floor_permit (like permit including all)',
  'create table if not exists floor_ticket (like ticket including all)',
  'insert into floor_permit select * from permit on conflict do nothing',
  'insert into floor_ticket select * from ticket on conflict do nothing',
];

const LIST = `
  insert into floor_listing (id, permit_id, marketplace, price, opened_at)
  select s.id, p.id, $3, 1000, now()
  from unnest($1::uuid[], $2::text[]) as s (id, address) join floor_permit p on p.tix_permit_id = s.address
  on conflict do nothing`;

const BUYER = `
  select w.address from wallet w where w.address = any($1) and w.fan_id <> (
    select t.owner_id from floor_ticket t join floor_permit p on p.ticket_id = t.id where p.tix_permit_id = $2)`;

/** As `openSales`, in the floor's tables only. @returns the wallet of the fan who claims next */
export async function openFloorSales({ context, fans, marketplace, permits }: Market): Promise<string> {
  const { pool } = context;
  for (const statement of TABLES) await pool.query(statement);
  const ids = permits.claims.map(() => uuidOf('lst', newId('lst')));
  await pool.query(LIST, [ids, permits.claims, marketplace.publicKey.toBase58()]);
  const { rows } = await pool.query<{ address: string }>(BUYER, [fans.map(({ wallet }) => wallet), permits.claims[0]]);
  if (rows[0] === undefined) throw new Error('no fan can claim what the other holds');
  return rows[0].address;
}
