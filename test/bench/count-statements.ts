/**
 * Preloaded into a server: counts the statements that each request sends to PostgreSQL, whichever way, and writes a line for each request
 * to the file `BENCH_STATEMENTS` when it is answered.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import pg from 'pg';

const file = process.env.BENCH_STATEMENTS ?? '';
const counting = new AsyncLocalStorage<{ statements: number }>();

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(this: pg.Client, ...call: unknown[]) {
  const count = counting.getStore();
  const [statement] = call;
  const text = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
  // the request log is written behind the answers, whoever's turn it is
  if (count !== undefined && !text.includes('insert into api_request')) count.statements += 1;
  return Reflect.apply(query, this, call);
} as typeof query;

const { emit } = Server.prototype;
Server.prototype.emit = function counted(this: Server, event: string, ...given: unknown[]) {
  const send = () => Reflect.apply(emit, this, [event, ...given]);
  if (event !== 'request') return send();
  const [{ method = '', url = '' }, response] = given as [IncomingMessage, ServerResponse];
  const count = { statements: 0 };
  response.on('finish', () => {
    const line = { request: `${method} ${url.split('?')[0]}`, statements: count.statements };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  });
  return counting.run(count, send);
} as typeof emit;
