import { describeFanApi } from '../../adapters/partner-api/fan/openapi.ts';

/** The parts of the OpenAPI description that tests read. */

type Examples = Record<string, { value: unknown }>;
export interface Content {
  schema: object;
  examples: Examples;
}
interface Parameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  schema: object;
}
export interface DescribedOperation {
  operationId: string;
  'x-beside-contract'?: true;
  security: { oauth2: string[] }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, object>;
}
interface Response {
  description: string;
  headers: Record<string, object>;
  content?: Record<string, Content>;
  links?: Record<string, { operationId: string; parameters?: Record<string, string> }>;
}
type PathItem = { servers?: { url: string }[] } & Record<'get' | 'post', DescribedOperation | undefined>;

/** The description with the default addresses. */
export const openapi = JSON.parse(JSON.stringify(describeFanApi())) as {
  servers: { url: string }[];
  paths: Record<string, PathItem>;
};

/** Follows a reference into the document. */
export function resolve<T>(given: object): T {
  if (!('$ref' in given)) return given as T;
  const parts = String(given.$ref).replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], openapi) as T;
}

/** Every operation, with where it is. */
export function operationsOf() {
  return Object.entries(openapi.paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation, isFanApi: item.servers === undefined }] : [];
    }),
  );
}

/** The answers of an operation, references followed. */
export function answersOf({ operation }: { operation: DescribedOperation }) {
  return Object.entries(operation.responses).map(([status, given]) => {
    const { headers, content, links = {} } = resolve<Response>(given);
    const [type] = Object.keys(content ?? {});
    const { operationId } = operation;
    return {
      operation: operationId,
      status: Number(status),
      name: `${operationId} ${status}`,
      headers,
      type,
      content: type === undefined ? undefined : content?.[type],
      links,
    };
  });
}
