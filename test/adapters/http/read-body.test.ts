import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../../adapters/http/read-body.ts';
import { RequestError } from '../../../adapters/http/request-error.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    try {
      ctx.body = { text: await readBody(ctx, 'application/json') };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      ctx.status = error.status;
      ctx.body = { message: error.message };
    }
  });
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  url = `http://localhost:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

async function post(body: RequestInit['body'], contentType = 'application/json', init: RequestInit = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: body ?? null,
    ...init,
  });
  return { status: answer.status, body: (await answer.json()) as { text?: string; message?: string } };
}

describe('D-081: request bodies', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])('%s is taken', async (type) => {
    expect(await post('{"ü":1}', type)).toEqual({ status: 200, body: { text: '{"ü":1}' } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data', 'x'])(
    '415 for %s',
    async (type) => {
      const { status, body } = await post('{}', type);
      expect(status).toBe(415);
      expect(body.message).toContain('application/json');
    },
  );

  it('64 KiB are taken, one byte more is 413', async () => {
    expect((await post('x'.repeat(65_536))).status).toBe(200);
    expect((await post('x'.repeat(65_537))).status).toBe(413);
  });

  it('413 too where the length is not told beforehand', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 5; i++) controller.enqueue(new TextEncoder().encode('x'.repeat(16_384)));
        controller.close();
      },
    });
    expect((await post(stream, 'application/json', { duplex: 'half' } as RequestInit)).status).toBe(413);
  });

  it('400 for what is no UTF-8', async () => {
    const { status, body } = await post(new Uint8Array([0x7b, 0xff, 0x7d]));
    expect({ status, message: body.message }).toEqual({ status: 400, message: 'The body is not valid UTF-8.' });
  });

  it('a body that breaks off harms nobody', async () => {
    const call = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100 },
    });
    const ended = new Promise<string>((resolve) => call.on('error', (error) => resolve(error.message)));
    call.write('{');
    setTimeout(() => call.destroy(new Error('gone')), 50);
    expect(await ended).toBe('gone');
    expect((await post('{}')).status).toBe(200);
  });
});
