import { FanApiError } from './errors.ts';
import type { paths } from './openapi.ts';

type Path = keyof paths;
type MethodOf<P extends Path> = keyof paths[P] & string;
type Operation<P extends Path, M extends MethodOf<P>> = paths[P][M];
type QueryOf<O> = O extends { parameters: { query?: infer Query } } ? Query : undefined;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
type DataOf<O> = O extends { responses: { 200: { content: { 'application/json': infer Data } } } } ? Data : never;

/** The parameters and the body of an operation. */
export interface Given<P extends Path, M extends MethodOf<P>> {
  /** Members that are undefined are left out. */
  query?: { [Name in keyof QueryOf<Operation<P, M>>]: QueryOf<Operation<P, M>>[Name] | undefined } | undefined;
  body?: BodyOf<Operation<P, M>>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface Answer<P extends Path, M extends MethodOf<P>> {
  data: DataOf<Operation<P, M>>;
  headers: Headers;
}

/** Calls an operation by its method and path, with the types of the OpenAPI description. @throws FanApiError where it is refused */
export type CallOperation = <P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  given?: Given<P, M>,
) => Promise<Answer<P, M>>;

/** @param send with the fan's access token */
export function operationCaller(apiUrl: string, send: (request: Request) => Promise<Response>): CallOperation {
  return async (method, path, { query = {}, body, headers, signal } = {}) => {
    const url = new URL(`${apiUrl}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const request = new Request(url, {
      method: method.toUpperCase(),
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    const response = await send(request);
    const data: unknown = await response.json().catch(() => undefined);
    if (!response.ok || data === undefined) throw new FanApiError(response, data);
    return { data: data as never, headers: response.headers };
  };
}
