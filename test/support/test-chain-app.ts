import { afterAll } from 'vitest';
import { type ChainApp, startChainApp } from './chain-app.ts';

/** As `testApp`, with a Solana cluster and two fans who hold tickets on it. A file of its own: it loads the Solana VM. */
export async function testChainApp(...options: Parameters<typeof startChainApp>): Promise<ChainApp> {
  const app = await startChainApp(...options);
  afterAll(() => app.stop());
  return app;
}
