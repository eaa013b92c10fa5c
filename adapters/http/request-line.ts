import type { IncomingMessage } from 'node:http';

export interface RequestLine {
  method: string;
  host: string;
  /** `''` where it is unknown. */
  path: string;
  /** `Accept-Language`; `''` where it is unknown. */
  languages: string;
  /** Of the whole target, as far as it arrived. */
  targetBytes: number;
  /** Whether the whole line arrived. */
  complete: boolean;
}

const UNKNOWN: RequestLine = { method: '', host: '', path: '', languages: '', targetBytes: 0, complete: false };

/** Method, target and, where the line is whole, the version. @see RFC 9112 §3 */
const LINE = /^([!#$%&'*+.^_`|~\w-]+) ([\x21-\x7e]+)( HTTP\/\d\.\d\r?\n)?/;
const HOST = /\r?\nhost:[ \t]*([\x21-\x7e]+)/i;
const LANGUAGES = /\r?\naccept-language:[ \t]*([\x20-\x7e]+)/i;

/** Reads the request line of a request, or of a packet that Node could not parse, as far as it goes. */
export function readRequestLine(from: IncomingMessage | Buffer | undefined): RequestLine {
  if (from === undefined) return UNKNOWN;
  if (!Buffer.isBuffer(from)) {
    const { method = '', url = '', headers } = from;
    return {
      method,
      host: headers.host ?? '',
      path: pathOf(url),
      languages: headers['accept-language'] ?? '',
      targetBytes: url.length,
      complete: true,
    };
  }
  const text = from.toString('latin1');
  const [, method, target, version] = LINE.exec(text) ?? [];
  if (method === undefined || target === undefined) return UNKNOWN;
  return {
    method,
    host: HOST.exec(text)?.[1] ?? '',
    path: pathOf(target),
    languages: LANGUAGES.exec(text)?.[1] ?? '',
    targetBytes: target.length,
    complete: version !== undefined,
  };
}

/** The path of a target, which may also be a whole URL. @see RFC 9112 §3.2.2 */
function pathOf(target: string): string {
  return target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '').replace(/[?#].*$/s, '');
}
