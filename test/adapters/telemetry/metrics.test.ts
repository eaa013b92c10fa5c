import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMetrics } from '../../../adapters/http/metrics.ts';
import { callFan } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
let metrics: Server;
beforeAll(async () => {
  app = await startApp();
  metrics = await startMetrics(0);
});
afterAll(async () => {
  metrics.close();
  await app.stop();
});

async function lines(): Promise<string[]> {
  const { port } = metrics.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  return (await answer.text()).split('\n');
}

describe('D-011: metrics', () => {
  it('count requests by method, route and status', async () => {
    await callFan(app, '/tickets');
    await callFan(app, '/tickets');
    expect(await lines()).toContain(
      'http_request_duration_seconds_count{method="GET",route="/fan/tickets",status="401"} 2',
    );
  });

  it('know no path that a caller made up: the series would be without number', async () => {
    for (let i = 0; i < 3; i++) await fetch(`${app.origin}/made-up-${i}?token=secret`);
    const text = (await lines()).join('\n');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="other",status="404"} 3');
    expect(text).not.toMatch(/made-up|secret/);
  });

  it('listen on loopback only, and no surface serves them', async () => {
    expect((metrics.address() as AddressInfo).address).toBe('127.0.0.1');
    expect((await fetch(`${app.origin}/metrics`)).status).toBe(404);
  });
});
