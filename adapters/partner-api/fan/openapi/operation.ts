import type { z } from 'zod';
import type { HeaderName } from './headers.ts';

/** An example by its name; the description shows it, and a test checks it against its schema. */
export type Examples = Readonly<Record<string, { summary?: string; value: unknown }>>;

/** What a request or an answer carries. */
export interface Body {
  type: string;
  schema: object;
  examples: Examples;
}

/** What an answer carries, beside its description. */
export interface Answer {
  description: string;
  headers?: readonly HeaderName[];
  /** Stable codes that `X-Error-Code` may have in this answer. */
  errorCodes?: readonly string[];
  /** Absent where the answer has no body. */
  content?: Body;
  /** Operations that use values of the answer, by name. @see OpenAPI 3.1 §4.8.20 */
  links?: Readonly<Record<string, Link>>;
}

interface Link {
  operationId: string;
  description: string;
  /** Runtime expressions, by parameter. */
  parameters?: Readonly<Record<string, string>>;
  requestBody?: unknown;
}

/** One operation of the description. */
export interface Operation {
  id: string;
  method: 'get' | 'post';
  path: string;
  /** Where the path begins; the Fan API by default. */
  server?: 'auth' | 'origin';
  /** By default the tag of its server. */
  tag?: string;
  summary: string;
  description: string;
  /** True for an operation that is not in the specification. */
  beside?: true;
  /** Whether a sandbox client may ask for an explanation in place of the result. */
  explains?: true;
  /** Scopes that the access token needs; `[]` for any token, `none` for none, `endpoint` for the token of an endpoint. */
  scopes: readonly string[] | 'none' | 'endpoint';
  /** Shapes of the parameters, and a sentence for each. */
  parameters?: { in: 'query' | 'path'; shape: z.ZodObject; descriptions: Record<string, string> };
  body?: Body;
  answers: Readonly<Record<number, Answer>>;
}

/** Refers to a schema of the components. */
export function schemaOf(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** A body in JSON. @param shape its name among the schemas */
export function jsonBody(shape: string, examples: Examples): Body {
  return { type: 'application/json', schema: schemaOf(shape), examples };
}
