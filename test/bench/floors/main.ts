/**
 * The floor: a bare `node:http` server in a process of its own, over the server's PostgreSQL, that does for each path the same
 * signatures, statements and calls of the cluster, and nothing else: no router, limits, checks beyond the statement's, log or metrics.
 * It is forked with IPC and told its task.
 *
 * @module
 */
import { Agent, createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { exchange } from './exchange.ts';
import { listings } from './listings.ts';
import { refresh } from './refresh.ts';
import type { FloorContext, FloorHandler, Floors, FloorTask } from './task.ts';
import { tickets } from './tickets.ts';
import { userinfo } from './userinfo.ts';

const FLOORS: Floors = { exchange, refresh, userinfo, tickets, listings };

process.once('message', async (task: FloorTask) => {
  const handlers = await openHandlers(openContext(task));
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', async () => {
      try {
        const answer = await handlers[request.url ?? '']?.({
          authorization: request.headers.authorization ?? '',
          body,
        });
        response.setHeader('content-type', 'application/json');
        response.end(answer);
      } catch (error) {
        console.error(error);
        response.writeHead(500).end();
      }
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));

async function openHandlers(context: FloorContext): Promise<Record<string, FloorHandler | undefined>> {
  const handlers: Record<string, FloorHandler | undefined> = {};
  for (const [name, floor] of Object.entries(FLOORS)) handlers[`/${name}`] = await floor(context);
  return handlers;
}

function openContext(task: FloorTask): FloorContext {
  const pool = new pg.Pool({ connectionString: task.databaseUrl, max: task.poolSize });
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json' };
  return {
    ...task,
    query: async (name, text, values) => (await pool.query({ name, text, values })).rows,
    rpc: (body) =>
      new Promise((resolve, reject) => {
        const outgoing = requestHttp(task.rpcUrl, { agent, method: 'POST', headers }, (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => {
            text += chunk;
          });
          incoming.on('end', () => resolve(JSON.parse(text)));
        });
        outgoing.on('error', reject);
        outgoing.end(JSON.stringify(body));
      }),
  };
}
