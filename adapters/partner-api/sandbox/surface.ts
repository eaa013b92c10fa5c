import { z } from 'zod';
import { Client } from '../../../src/entities/client.ts';
import { FAILURES } from '../../../src/entities/simulation.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import { DomainError } from '../../../src/platform/errors.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { createContext, type Runtime, type ServiceContext } from '../../../src/runtime.ts';
import { advanceClock, endSimulation } from '../../../src/sandbox/failure/advance-clock.ts';
import { armFailure, disarmFailure } from '../../../src/sandbox/failure/arm-failure.ts';
import { readSimulation, type ShownSimulation } from '../../../src/sandbox/failure/read-simulation.ts';
import { clientOfSandboxKey } from '../../../src/sandbox/failure/sandbox-key.ts';
import { answerJson } from '../../http/answer-json.ts';
import { createLimiter, limitCall } from '../../http/rate-limit.ts';
import { readJson } from '../../http/read-body.ts';
import type { Handler, RequestContext } from '../../http/request-state.ts';
import { type Route, serveRoutes } from '../../http/routes.ts';
import { basePath } from '../../http/surface.ts';
import { fanErrors } from '../fan/errors.ts';
import { parseShape } from '../fan/wire.ts';

const CALLS_PER_MINUTE = 300;
const BEARER = /^Bearer +(?<key>\S+)$/i;

/** Where the developers of a sandbox client arm failures and move its clock. */
export function sandboxUrl({ apiUrl }: Pick<Config, 'apiUrl'>): string {
  return `${apiUrl}/sandbox`;
}

/**
 * The sandbox's own endpoints, for the developers of a partner and their CI: with the key of a sandbox client, and never for browsers.
 * Repeating a call changes nothing.
 */
export function sandboxSurface(runtime: Runtime): Handler {
  const base = basePath(sandboxUrl(runtime.config));
  const limiter = createLimiter(CALLS_PER_MINUTE);

  /** Runs a call and answers with the current simulation. */
  async function answer(
    ctx: RequestContext,
    change: (context: ServiceContext, client: Id<'client'>, actor: string) => Promise<unknown>,
  ): Promise<void> {
    const context = createContext(runtime, ctx.state.requestId);
    const client = await requireClient(context, ctx);
    await limitCall(ctx, limiter, client);
    await change(context, client, `client:${client}`);
    const { em } = createContext(runtime, ctx.state.requestId);
    const row = await em.findOneOrFail(Client, { id: client });
    answerJson(ctx, toSimulation(client, await readSimulation({ em, now: runtime.now }, row)));
  }

  const post = (path: string, change: (ctx: RequestContext) => Promise<Parameters<typeof answer>[1]>): Route => ({
    path: `${base}${path}`,
    methods: ['POST'],
    operation: 'sandbox.change',
    handle: async (ctx) => answer(ctx, async (...given) => (await change(ctx))(...given)),
  });
  const routes: Route[] = [
    {
      path: base,
      methods: ['GET'],
      operation: 'sandbox.read',
      handle: (ctx) => answer(ctx, async () => {}),
    },
    post('/failures', async (ctx) => {
      const arming = parseShape(ArmRequest, await readJson(ctx));
      return (context, client, actor) => armFailure(context, client, arming, actor);
    }),
    post('/failures/disarm', async (ctx) => {
      const { failure } = parseShape(DisarmRequest, await readJson(ctx));
      return (context, client, actor) => disarmFailure(context, client, failure, actor);
    }),
    post('/clock', async (ctx) => {
      const { ahead_seconds: ahead } = parseShape(ClockRequest, await readJson(ctx));
      return (context, client, actor) => advanceClock(context, client, ahead, actor);
    }),
    post('/end', async (ctx) => {
      parseShape(EndRequest, await readJson(ctx));
      return (context, client, actor) => endSimulation(context, client, actor);
    }),
  ];
  return serveRoutes(routes, { errors: fanErrors(runtime.log) });
}

/** @throws DomainError `access_token_missing`, `access_token_invalid` */
async function requireClient(context: ServiceContext, ctx: RequestContext): Promise<Id<'client'>> {
  const header = ctx.get('Authorization');
  if (header === '')
    throw new DomainError('access_token_missing', 'A sandbox key is required: Authorization: Bearer <key>.');
  const client = await clientOfSandboxKey(context, BEARER.exec(header)?.groups?.key ?? '');
  if (!client) throw new DomainError('access_token_invalid', 'The sandbox key is wrong, or a newer one was made.');
  ctx.state.caller = { client: client.uuid, mode: 'sandbox' };
  return client.id;
}

/** The shapes of the sandbox's own endpoints on the wire. */

const Failure = z.enum(FAILURES, { error: `must be one of ${FAILURES.join(', ')}` });
const whole = z.number({ error: 'must be a number' });

const ArmRequest = z.strictObject({
  failure: Failure,
  operation: z.string({ error: 'must be a string' }).optional(),
  times: whole.optional(),
  seconds: whole.optional(),
  minutes: whole.optional(),
});

const DisarmRequest = z.strictObject({ failure: Failure });

const ClockRequest = z.strictObject({ ahead_seconds: whole });

const EndRequest = z.strictObject({});

/** What is simulated for a client. */
function toSimulation(clientId: string, { armed, advanced }: ShownSimulation) {
  return {
    client_id: clientId,
    clock: { ahead_seconds: advanced },
    armed: armed.map(({ failure, operation, timesLeft, seconds, armedAt, expiresAt }) => ({
      failure,
      ...(operation != null && { operation }),
      ...(timesLeft != null && { times_left: timesLeft }),
      ...(seconds != null && { seconds }),
      armed_at: armedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
  };
}
