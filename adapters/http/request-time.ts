import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Middleware } from 'koa';

/** How long a request may take to arrive, as by Node's own limit, which has no exceptions and is turned off (`SERVER_OPTIONS`). */
const LIMIT_MS = 300_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends requests whose body does not arrive in time, as Node does: with 408, in the shape of their surface. */
export function limitRequestTime(limitMs = LIMIT_MS): Middleware {
  return (ctx, next) => {
    const { req } = ctx;
    if (req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined) {
      const timer = setTimeout(() => end(req), limitMs).unref();
      timers.set(req, timer);
      req.once('close', () => clearTimeout(timer));
    }
    return next();
  };
}

/** For a request whose body may take as long as it needs. Its handler limits how long it may pause. */
export function liftTimeLimit(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}

function end(request: IncomingMessage): void {
  if (request.complete) return;
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const { server } = request.socket as Socket & { server?: NodeJS.EventEmitter };
  if (server) server.emit('clientError', error, request.socket);
  else request.socket.destroy();
}
