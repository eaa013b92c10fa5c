import { findPollingEndpoint, pollNotifications } from '../../../src/partners/notification/poll-notifications.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { answerJson } from '../../http/answer-json.ts';
import { bearerToken } from '../../http/bearer-token.ts';
import { type Limiter, limitCall } from '../../http/rate-limit.ts';
import { readJson } from '../../http/read-body.ts';
import type { Route } from '../../http/routes.ts';
import { PollSetsRequest, type PollSetsResponse } from './poll-wire.ts';
import { parseShape } from './wire.ts';

/**
 * Polls for Security Event Tokens. The bearer token is that of an endpoint, and belongs on the partner's server: clients are public, so
 * there is no other secret that could name one (D-313).
 * @see RFC 8936 §2
 */
export function pollRoute(runtime: Runtime, base: string, limiter: Limiter): Route {
  return {
    path: `${base}/notifications/poll`,
    methods: ['POST'],
    operation: 'notifications.poll',
    async handle(ctx) {
      const endpoint = await findPollingEndpoint(runtime, bearerToken(ctx.get('Authorization')));
      ctx.state.caller = { client: endpoint.client_id };
      await limitCall(ctx, limiter, endpoint.id);
      const request = parseShape(PollSetsRequest, await readJson(ctx));
      const gone = new AbortController();
      ctx.res.once('close', () => gone.abort());
      answerJson(ctx, (await pollNotifications(runtime, endpoint, request, gone.signal)) satisfies PollSetsResponse);
    },
  };
}
