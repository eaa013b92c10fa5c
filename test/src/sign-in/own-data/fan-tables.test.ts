import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAN_TABLES } from '../../../../src/sign-in/own-data/fan-tables.ts';
import { testDatabase } from '../../../support/database.ts';

const client = new pg.Client({ connectionString: await testDatabase() });
beforeAll(() => client.connect());
afterAll(() => client.end());

/** Names of columns without a foreign key that may refer to a fan. */
const TELLING = '(^|_)(fan|fans|grant|grants|phone|phones|wallet|wallets|actor|subject|recipient)(_|$)';

/** Columns that have such a name and refer to no fan. */
const OTHERS: Readonly<Record<string, string>> = {
  'ended_access.grants_ended_by': 'staff',
  'event.grants_narrowed_at': 'a time',
  'import_run.actor': 'staff',
  'inbox_mail.recipient': 'staff, and members of partners',
  'inbox_mail.subject': 'the first line of a mail',
  'ticket.outside_wallet': 'a wallet that is not of this service, while the ticket is in no fan’s',
  'partner_member.subject': 'a member, as their provider names them',
  'staff.subject': 'staff, as their provider names them',
};

interface Column {
  name: string;
  /** Whether a foreign key leads to a fan, or to a grant of one. */
  isKey: boolean;
}

/** The columns of all tables, also of partitioned ones but not of their partitions, that refer to a fan. */
async function columnsOfFans(): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname || '.' || a.attname as name, bool_or(k.oid is not null) as "isKey"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and a.attnum = any(k.conkey)
         and k.confrelid in ('fan'::regclass, 'consent_grant'::regclass, 'passkey'::regclass, 'wallet'::regclass)
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by 1 having bool_or(k.oid is not null) or bool_or(a.attname ~ $1) order by 1`,
    [TELLING],
  );
  return rows;
}

const declared = Object.entries(FAN_TABLES).flatMap(([table, { refers }]) => refers.map((name) => `${table}.${name}`));

describe('what is kept about a fan', () => {
  it('a copy and a deletion know every column that refers to a fan', async () => {
    const found = await columnsOfFans();
    expect(found.filter(({ isKey }) => isKey).length).toBeGreaterThan(15);
    const forgotten = found.map(({ name }) => name).filter((name) => !declared.includes(name) && !(name in OTHERS));
    expect(forgotten, 'declare it in fan-tables.ts').toEqual([]);
  });

  it('a new table with a fan, a grant or a number is found', async () => {
    await client.query(`begin; create table diary (id int, written_by uuid references fan (id), phone text, of uuid references consent_grant (id));
      create table note (fan_id uuid, grant_ids uuid[], text text)`);
    const found = (await columnsOfFans()).map(({ name }) => name);
    await client.query('rollback');
    expect(found.filter((name) => /^(diary|note)\./.test(name))).toEqual([
      'diary.of',
      'diary.phone',
      'diary.written_by',
      'note.fan_id',
      'note.grant_ids',
    ]);
  });

  it('names only what is there, and why it leaves something out', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
    );
    const columns = new Set(rows.map(({ name }) => name));
    expect(declared.filter((name) => !columns.has(name))).toEqual([]);
    for (const [table, { copied, deleted }] of Object.entries(FAN_TABLES))
      for (const left of [copied, deleted])
        if (typeof left === 'object' && 'because' in left) expect(left.because.length, table).toBeGreaterThan(10);
  });
});
