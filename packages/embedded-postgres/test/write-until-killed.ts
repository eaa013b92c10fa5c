import pg from 'pg';
import { startEmbeddedPostgres } from '../src/start-embedded-postgres.ts';

/**
 * A process that writes numbers into the embedded database, each in a transaction of its own, and prints each one once
 * it is acknowledged, until it is killed. `once` in place of the second argument: stops cleanly after ten.
 */
const [, , dataDir = '', mode] = process.argv;
const server = await startEmbeddedPostgres(dataDir);
const client = new pg.Client({ connectionString: server.url });
await client.connect();
await client.query('create table if not exists acknowledged (n int primary key)');
const { rows } = await client.query<{ next: number }>('select coalesce(max(n), 0) + 1 as next from acknowledged');
const first = rows[0]?.next ?? 1;
for (let n = first; mode !== 'once' || n < first + 10; n++) {
  await client.query('insert into acknowledged values ($1)', [n]);
  process.stdout.write(`${n}\n`);
}
await client.end();
await server.stop();
