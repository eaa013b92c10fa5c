/** A partner's server, in a process of its own: takes every token, and tells its parent its port and, on request, what it got. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Counted {
  received: number;
  /** By `jti`. */
  different: number;
  /** Those that happened before another of their grant which had come by then. */
  outOfOrder: number;
}

interface Claims {
  jti: string;
  toe: number;
  sub_id: { session: { id: string } };
}

const seen = new Set<string>();
/** When the last that came of each grant happened. */
const latest = new Map<string, number>();
let received = 0;
let outOfOrder = 0;

function take(token: string): void {
  const {
    jti,
    toe,
    sub_id: subject,
  } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
  const { id } = subject.session;
  received += 1;
  if (toe < (latest.get(id) ?? 0)) outOfOrder += 1;
  latest.set(id, toe);
  seen.add(jti);
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    take(body);
    response.writeHead(202).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => process.send?.({ received, different: seen.size, outOfOrder } satisfies Counted));
