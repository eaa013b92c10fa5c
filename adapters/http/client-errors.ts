import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Wishes } from '../fan-pages/plain-pages/page-words.ts';
import type { PlainPages } from '../fan-pages/plain-pages/plain-pages.ts';
import { URL_LIMIT_BYTES } from './check-request.ts';
import { type ErrorShape, type ErrorShapeOf, writeRequestError } from './error-shape.ts';
import type { HelpLinkOf } from './help-link.ts';
import type { ProtectionOf } from './protect-answers.ts';
import { newRequestId } from './request-id.ts';
import { readRequestLine } from './request-line.ts';

/** Node refuses request line and header fields above this; `check-request.ts` refuses far smaller ones, with a better answer. */
export const SERVER_OPTIONS = {
  maxHeaderSize: 48 * 1024,
  // until a header is there: from the start of the connection, or from the first byte of a further call
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  // `protect-answers.ts` answers it
  requireHostHeader: false,
  // `request-time.ts` has it, with an exception for imports
  requestTimeout: 0,
};

/** How long a client has to read the answer before its connection is cut. */
const LINGER_MS = 500;

interface Surroundings {
  log: Logger;
  shapeOf: ErrorShapeOf;
  protectionOf: ProtectionOf;
  helpLinkOf: HelpLinkOf;
  pages: PlainPages;
}

interface Fault {
  status: number;
  message: string;
  wishes?: Wishes;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether the request before it was still unanswered. */
  pipelined: boolean;
}

/**
 * Answers what Node refuses by itself, because it is not HTTP or far too long, in the shape of its surface as far as the
 * request line is known. Only code and message are logged: Node's error has the bytes of the request (`rawPacket`), and so
 * credentials.
 */
export function answerClientErrors(
  server: Server,
  { log, shapeOf, protectionOf, helpLinkOf, pages }: Surroundings,
): void {
  const answerAs = (socket: Socket, host: string, bodiless: boolean, shape: ErrorShape, fault: Fault) => {
    const requestId = newRequestId();
    const { headers, body } = writeRequestError(shape, { ...fault, requestId }, pages);
    const link = helpLinkOf(shape, fault.status);
    const fields = { ...headers, ...(link && { Link: link }), ...protectionOf(host), 'X-Request-Id': requestId };
    answer(socket, fault.status, fields, body, bodiless);
  };
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
    log.debug({ code: error.code, reason: error.message }, 'invalid HTTP from a client');
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const exchange = newest.get(socket);
    const broken = isUnderWay(exchange) ? exchange : undefined;
    if (broken?.request.complete) return finishAndClose(broken.response, socket);
    // a second answer would be read as this one, or as that of the previous request
    if (broken?.response.headersSent || broken?.pipelined) return void socket.destroy();
    const { status, message } = describe(error);
    const line = readRequestLine(broken?.request ?? error.rawPacket);
    const fault = { status, message, wishes: { acceptLanguage: line.languages } };
    answerAs(socket, line.host, line.method === 'HEAD', shapeOf(line.host, line.path), fault);
  });
  // for CONNECT Node would close the connection without an answer
  server.on('connect', ({ headers }, stream) => {
    answerAs(stream as Socket, headers.host ?? '', false, 'text', { status: 501, message: METHOD_UNKNOWN });
  });
  // an expectation that nobody knows may be ignored (RFC 9110 §10.1.1); Node would answer 417 by itself
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

function isUnderWay(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && !exchange.response.writableFinished;
}

interface ClientError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

const METHOD_UNKNOWN = 'The method is not known here.';

/** What a code of Node's parser means. @see https://github.com/nodejs/llhttp */
function describe({ code, rawPacket }: ClientError): { status: number; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return readRequestLine(rawPacket).targetBytes > URL_LIMIT_BYTES
        ? { status: 414, message: 'The URL is too long.' }
        : { status: 431, message: 'The header fields are too long.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, message: 'The extensions of a chunk are too long.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request did not arrive in time.' };
    case 'HPE_INVALID_METHOD':
      if (readRequestLine(rawPacket).complete) return { status: 501, message: METHOD_UNKNOWN };
      break;
  }
  return { status: 400, message: 'The request is not valid HTTP/1.1.' };
}

/** The request itself was valid; what followed it was not. */
function finishAndClose(response: ServerResponse, socket: Socket): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => socket.destroySoon());
}

function answer(socket: Socket, status: number, fields: Record<string, string>, body: string, bodiless: boolean): void {
  const lines = Object.entries({
    ...fields,
    Date: new Date().toUTCString(),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
  socket.on('error', () => {});
  socket.end(bodiless ? head : head + body);
  // closing at once, with request bytes unread, would reset the connection before the answer is read
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Whether an error that reached Koa is the client's: its connection broke (not one of ours), or Koa's own 4xx. */
export function isClientError(error: unknown, ctx: Context | undefined): boolean {
  if (!(error instanceof Error)) return false;
  if (ctx && error === ctx.req.socket.errored) return true;
  if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return ctx?.res.writableFinished === false;
  return 'expose' in error && error.expose === true;
}
