import { DomainError } from '../../../src/platform/errors.ts';
import { admitCall, answerListing, answerTickets } from '../../../src/sandbox/go-live-check/answer-api.ts';
import { readJson } from '../../http/read-body.ts';
import type { Route } from '../../http/routes.ts';
import { CreateAuthorizationRequest } from '../fan/wire.ts';
import { bearerIn, type WorkOf } from './work.ts';

/** The hostile API of a run: the operations of the Fan API. @see spec §4.1 */
export function apiRoutes(base: string, workOf: WorkOf): Route[] {
  return [
    {
      path: `${base}/tickets`,
      methods: ['GET'],
      cache: 'no-store',
      async handle(ctx) {
        const { context, open } = await workOf(ctx);
        await admitCall(context, open, { path: 'GET /tickets', token: bearerIn(ctx) });
        ctx.body = answerTickets(context.now());
      },
    },
    {
      path: `${base}/authorizations`,
      methods: ['POST'],
      cache: 'no-store',
      async handle(ctx) {
        const { context, open } = await workOf(ctx);
        const attempt = await admitCall(context, open, { path: 'POST /authorizations', token: bearerIn(ctx) });
        const request = CreateAuthorizationRequest.safeParse(await readJson(ctx));
        if (!request.success) {
          const [issue] = request.error.issues;
          throw new DomainError('invalid_request', `${issue?.path.join('.') || 'body'}: ${issue?.message}`);
        }
        ctx.body = { transactions: await answerListing(context, attempt, request.data.transactions) };
      },
    },
    {
      path: `${base}/claims/execute`,
      methods: ['POST'],
      cache: 'no-store',
      async handle(ctx) {
        const { context, open } = await workOf(ctx);
        await admitCall(context, open, { path: 'POST /claims/execute', token: bearerIn(ctx) });
        throw new DomainError('not_found', 'There are no tickets to claim in a go-live check.');
      },
    },
  ];
}
