import { afterAll } from 'vitest';
import { type ChainApp, startChainApp } from './chain-app.ts';
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts';

/** The service for all tests of a file; it stops after the last one. */
export async function testApp(options?: TestAppOptions): Promise<TestApp> {
  const app = await startApp(options);
  afterAll(() => app.stop());
  return app;
}

/** As `testApp`, with a Solana cluster and two fans who hold tickets on it. */
export async function testChainApp(...options: Parameters<typeof startChainApp>): Promise<ChainApp> {
  const app = await startChainApp(...options);
  afterAll(() => app.stop());
  return app;
}
