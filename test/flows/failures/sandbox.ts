import { expect } from 'vitest';
import { makeSandboxKey } from '../../../src/sandbox/failure/sandbox-key.ts';
import { readPage } from '../../docs/page-samples.ts';
import type { TestApp } from '../../support/start-app.ts';

/** A partner's CI: the sandbox's endpoints, as the page `failures.md` has them, with the key of a client. */
export async function sandboxOf(app: TestApp, clientId: string) {
  const key = await makeSandboxKey(app.context(), clientId, 'test');
  async function call(method: string, path: string, body?: object) {
    const answer = await fetch(`${app.config.apiUrl}/sandbox${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  async function done(path: string, body: object): Promise<void> {
    expect(await call('POST', path, body)).toMatchObject({ status: 200 });
  }
  return {
    call,
    arm: (failure: string, more?: object) => done('/failures', { failure, ...more }),
    disarm: (failure: string) => done('/failures/disarm', { failure }),
    clock: (ahead_seconds: number) => done('/clock', { ahead_seconds }),
    end: () => done('/end', {}),
    armed: async () => (await call('GET', '')).body.armed as { failure: string; times_left?: number }[],
  };
}

/** The table of every failure: what a partner sees of each. */
export function documentedFailures(): { failure: string; sees: string }[] {
  const [, table = ''] = readPage('failures').split('## Every failure');
  return [...table.matchAll(/^\| `(\w+)` \|[^|]*\| `([^`]+)` \|/gm)].map(([, failure = '', sees = '']) => ({
    failure,
    sees,
  }));
}
