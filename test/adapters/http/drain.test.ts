import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it('calls that reach a server while it is busy are answered before it closes, on old and on new connections', async () => {
  const thread = new Worker(new URL('drain-thread.ts', import.meta.url));
  const [port] = (await once(thread, 'message')) as [number];
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await call(port, kept)).toMatchObject({ status: 200, connection: 'keep-alive' });
  thread.postMessage('drain');
  expect(await once(thread, 'message')).toEqual(['still']);
  const last = { status: 200, connection: 'close' };
  expect(await Promise.all([call(port, kept), call(port, new Agent())])).toEqual([last, last]);
  await once(thread, 'exit');
  await expect(call(port, new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

async function call(port: number, agent: Agent) {
  const [answer] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  return { status: answer.statusCode, connection: answer.headers.connection };
}
