import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { URL_LIMIT_BYTES } from './check-request.ts';
import { newRequestId } from './request-id.ts';

/** Node refuses request line and header fields above this; `check-request.ts` refuses far smaller ones, with a better answer. */
export const SERVER_OPTIONS = {
  maxHeaderSize: 48 * 1024,
  // time for the header to arrive: from the start of the connection, or from the first byte of a further call
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  // `protect-answers.ts` answers it
  requireHostHeader: false,
  // `request-time.ts` limits it, with an exception for imports
  requestTimeout: 0,
};

/** How long a client has to read the answer before its connection is cut. */
const LINGER_MS = 500;

interface Fault {
  status: number;
  message: string;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether the request before it was still unanswered. */
  pipelined: boolean;
}

/**
 * Answers in plain text what Node itself refuses because it is not HTTP or far too long. Only code and message are logged: Node's
 * error has the bytes of the request (`rawPacket`), and thus credentials.
 */
export function answerClientErrors(server: Server, log: Logger): void {
  const newest = new WeakMap<Socket, Exchange>();
  const ending = new WeakSet<Socket>();
  server.on('request', (request, response) => {
    newest.set(request.socket, { request, response, pipelined: isUnderWay(newest.get(request.socket)) });
  });
  server.on('clientError', (error: ClientError, stream) => {
    const socket = stream as Socket;
    // the parser reports every further packet again
    if (ending.has(socket)) return;
    ending.add(socket);
    const requestId = newRequestId();
    log.debug({ requestId, code: error.code, reason: error.message }, 'invalid HTTP from a client');
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const exchange = newest.get(socket);
    const broken = isUnderWay(exchange) ? exchange : undefined;
    if (broken?.request.complete) return finishAndClose(broken.response, socket);
    // a second answer would be read as this one, or as that of the previous request
    if (broken?.response.headersSent || broken?.pipelined) return void socket.destroy();
    answer(socket, requestId, describe(error));
  });
  // for CONNECT Node would close the connection without an answer
  server.on('connect', (_, stream) => answer(stream as Socket, newRequestId(), METHOD_UNKNOWN));
  // an unknown expectation may be ignored (RFC 9110 §10.1.1); Node would answer 417
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

function isUnderWay(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && !exchange.response.writableFinished;
}

interface ClientError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

const METHOD_UNKNOWN = { status: 501, message: 'The method is not known here.' };

/** A whole request line, of any method. @see RFC 9112 §3 */
const REQUEST_LINE = /^[A-Z-]+ \S+ HTTP\//;
/** The beginning of a request line whose target is too long. */
const LONG_TARGET = new RegExp(`^[A-Z-]+ \\S{${URL_LIMIT_BYTES}}`);

/** What a code of Node's parser means. @see https://github.com/nodejs/llhttp */
function describe({ code, rawPacket }: ClientError): Fault {
  const packet = rawPacket?.toString('latin1') ?? '';
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return LONG_TARGET.test(packet)
        ? { status: 414, message: 'The URL is too long.' }
        : { status: 431, message: 'The header fields are too long.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, message: 'The extensions of a chunk are too long.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request did not arrive in time.' };
    case 'HPE_INVALID_METHOD':
      if (REQUEST_LINE.test(packet)) return METHOD_UNKNOWN;
      break;
  }
  return { status: 400, message: 'The request is not valid HTTP/1.1.' };
}

/** The request itself was valid; what followed it was not. */
function finishAndClose(response: ServerResponse, socket: Socket): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => socket.destroySoon());
}

function answer(socket: Socket, requestId: string, { status, message }: Fault): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: text/plain; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${message.length + 1}`,
    'Connection: close',
  ];
  socket.on('error', () => {});
  socket.end(`${lines.join('\r\n')}\r\n\r\n${message}\n`);
  // closing immediately, with request bytes unread, would reset the connection before the answer is read
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Whether an error that reached Koa is the client's: its connection broke (not one of ours), or Koa's own 4xx. */
export function isClientError(error: unknown, ctx: Context | undefined): boolean {
  if (!(error instanceof Error)) return false;
  if (ctx && error === ctx.req.socket.errored) return true;
  if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return ctx?.res.writableFinished === false;
  return 'expose' in error && error.expose === true;
}
