import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { isProbe } from '../../http/health.ts';
import type { Handler } from '../../http/request-state.ts';
import { resultOf } from './count-requests.ts';
import type { SpanMaker } from './span-maker.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** A span per request, named after its operation. Its address is the route's, since the caller's may hold anything. */
export function requestHandler(spans: SpanMaker): Handler {
  return (ctx, next) => {
    if (isProbe(ctx.path)) return next();
    const handle = async (span: Span) => {
      await next();
      const { operation = 'other', outcome, requestId, caller } = ctx.state;
      const route: unknown = ctx._matchedRoute;
      const result = resultOf(ctx);
      span.updateName(operation);
      span.setAttributes({
        'http.request.method': METHODS.has(ctx.method) ? ctx.method : '_OTHER',
        'http.response.status_code': ctx.status,
        ...(typeof route === 'string' && { 'http.route': route }),
        'fan_api.operation': operation,
        'fan_api.result': result,
        'fan_api.request_id': requestId,
        ...(caller?.mode && { 'fan_api.mode': caller.mode }),
      });
      if (result === 'failed') {
        span.setAttribute('error.type', outcome ?? String(ctx.status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
    };
    return spans.run('request', SpanKind.SERVER, handle, spans.callerOf(ctx.get('traceparent') || undefined));
  };
}
