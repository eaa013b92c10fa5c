import type { CheckResult } from '../../../src/entities/go-live-check.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { CHECKS } from '../../../src/sandbox/go-live-check/checks.ts';
import { finishRun } from '../../../src/sandbox/go-live-check/finish-run.ts';
import { attemptOf } from '../../../src/sandbox/go-live-check/open-run.ts';
import { readSheet } from '../../../src/sandbox/go-live-check/read-sheet.ts';
import { runAddresses } from '../../../src/sandbox/go-live-check/run-addresses.ts';
import { endCheck, startCheck } from '../../../src/sandbox/go-live-check/start-check.ts';
import type { Handler } from '../../http/request-state.ts';
import type { Route } from '../../http/routes.ts';
import type { Work, WorkOf } from './work.ts';

/**
 * The checks of a run for programs: a partner's own tests call them between two sign-ins. Anyone who knows the address of the
 * run may call them; they change nothing but the run.
 */
export function checkRoutes(runtime: Runtime, base: string, workOf: WorkOf): Route[] {
  const conflicts =
    (handle: (work: Work, params: Record<string, string | undefined>) => Promise<unknown>): Handler =>
    async (ctx) => {
      try {
        ctx.body = await handle(await workOf(ctx), ctx.params);
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
        ctx.status = 409;
        ctx.body = { error: 'invalid_request', error_description: error.message };
      }
    };
  const route = (method: 'GET' | 'POST', path: string, handle: Parameters<typeof conflicts>[0]): Route => ({
    path: `${base}${path}`,
    methods: [method],
    cache: 'no-store',
    handle: (ctx) => conflicts(handle)(ctx, async () => {}),
  });
  return [
    route('GET', '/checks', (work) => describe(runtime, work)),
    route('POST', '/checks/:check/start', async (work, { check = '' }) => {
      await startCheck(work.context, work.open.run.id, check);
      return describe(runtime, work);
    }),
    route('POST', '/checks/done', async (work) => {
      await endCheck(work.context, work.open.run.id);
      return describe(runtime, work);
    }),
    route('POST', '/finish', async ({ context, open }) => {
      const { sheet } = await finishRun(context, open.run.id, `client:${open.client.id}`);
      return { checks: (sheet ?? []).map(inWords) };
    }),
  ];
}

async function describe({ config }: Runtime, { context, open }: Work): Promise<Record<string, unknown>> {
  const { issuer, apiUrl, rpcUrl } = runAddresses(config, open.run.id);
  return {
    client_id: open.client.id,
    issuer,
    api_url: apiUrl,
    rpc_url: rpcUrl,
    expires_at: open.run.expiresAt.toISOString(),
    current: (await attemptOf(context, open))?.check ?? null,
    checks: (await readSheet(context, open.run)).map(inWords),
  };
}

function inWords({ check: name, verdict, seen, startedAt }: CheckResult): Record<string, unknown> {
  const check = CHECKS.find((each) => each.name === name);
  return {
    name,
    title: check?.title,
    does: check?.does,
    expects: check?.expects,
    how: check?.how ?? null,
    source: check?.source,
    verdict,
    seen,
    started_at: startedAt,
  };
}
