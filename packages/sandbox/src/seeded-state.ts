import pg from 'pg';

/** The rows that the service began with, and how to bring them back. */
export interface SeededState {
  /** Replaces all rows by those of the beginning, in one transaction. */
  restore(): Promise<void>;
}

const SCHEMA = 'seeded';
/** Two transactions that wait for each other, and rows that were written meanwhile: the restore is tried again. */
const LOST_RACE = new Set(['40P01', '40001', '23505']);
const TRIES = 5;

/** Tables with rows of their own: those with partitions, not the partitions. Generated columns can't be written. */
const TABLES = `
  select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'mikro_orm_migrations'
  group by c.relname order by c.relname`;

const SEQUENCES = `
  select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value),
    last_value is not null) as statement
  from pg_sequences where schemaname = 'public'`;

interface Table {
  name: string;
  columns: string;
}

/**
 * Copies all rows of the service into a schema of their own. The queue's tables are not among them: jobs of the past are none of a test's.
 * @param url of a superuser: a restore skips triggers, since the rows are those that triggers have seen before
 */
export async function keepSeededState(url: string): Promise<SeededState> {
  const tables = (await run<Table>(url, TABLES)).rows;
  const filled = await filledAmong(url, tables);
  const copies = filled.map(({ name }) => `create table ${SCHEMA}.${name} as table public.${name}`);
  await run(url, ['begin', `create schema ${SCHEMA}`, ...copies, 'commit'].join(';\n'));
  const sequences = (await run<{ statement: string }>(url, SEQUENCES)).rows.map(({ statement }) => statement);
  const replaced = [
    ...tables.map(({ name }) => `delete from public.${name}`),
    ...filled.map(
      ({ name, columns }) =>
        `insert into public.${name} (${columns}) overriding system value select ${columns} from ${SCHEMA}.${name}`,
    ),
  ];
  const statements = ['begin', 'set local session_replication_role = replica', ...replaced, ...sequences, 'commit'];
  return {
    async restore() {
      for (let tries = 1; ; tries++) {
        const failed = await run(url, statements.join(';\n')).catch((error: unknown) => error);
        if (!(failed instanceof Error)) return;
        if (tries === TRIES || !('code' in failed && LOST_RACE.has(String(failed.code)))) throw failed;
      }
    },
  };
}

/** Those that have a row. */
async function filledAmong(url: string, tables: Table[]): Promise<Table[]> {
  const asked = tables.map(({ name }) => `select '${name}' as name where exists (select from public.${name})`);
  const found = (await run<{ name: string }>(url, asked.join(' union all '))).rows.map(({ name }) => name);
  return tables.filter(({ name }) => found.includes(name));
}

async function run<Row extends pg.QueryResultRow>(url: string, text: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url, application_name: 'fan-api-sandbox' });
  await client.connect();
  try {
    return await client.query<Row>(text);
  } finally {
    await client.end();
  }
}
