import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The floor of `GET /tickets`, as a process of its own: the same prepared statement and a JSON body of the same fields in a
 * bare `node:http` server. No token, no limits, no router. It is forked with IPC and told what to run.
 */
export interface FloorTask {
  databaseUrl: string;
  poolSize: number;
  userId: string;
  statement: { name: string; text: string; values: unknown[] };
}

interface Row {
  id: string;
  event_id: string;
  tix_event_id: string;
  tix_ticket_id: string;
  ticket_type_id: string;
  event_name: string;
  ticket_type_name: string;
  purchase_date: string;
}

process.once('message', ({ databaseUrl, poolSize, userId, statement }: FloorTask) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const server = createServer(async (_, response) => {
    const { rows } = await pool.query<Row>(statement);
    const tickets = rows.map((row) => ({
      id: row.id,
      svc_event_id: row.event_id,
      tix_event_id: row.tix_event_id,
      tix_ticket_id: row.tix_ticket_id,
      ticket_type_id: row.ticket_type_id,
      event_name: row.event_name,
      ticket_type_name: row.ticket_type_name,
      purchase_date: row.purchase_date,
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ user_id: userId, tickets }));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));
