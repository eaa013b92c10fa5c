import { afterAll } from 'vitest';
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts';

/** The service for all tests of a file; it stops after the last one. */
export async function testApp(options?: TestAppOptions): Promise<TestApp> {
  const app = await startApp(options);
  afterAll(() => app.stop());
  return app;
}
