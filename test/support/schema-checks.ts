import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { answersOf, type DescribedOperation, openapi, resolve } from './openapi.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, 'openapi');
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** What a schema of the OpenAPI description says against a value; empty where it fits. */
export function faults(schema: unknown, value: unknown): unknown[] {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
  const check = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, check);
  return check(value) ? [] : (check.errors ?? []);
}

/** An answer as it came over the wire. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/** Expects that an answer is one that its operation describes: status, content type, body, and header fields. */
export function expectDescribed(operation: DescribedOperation, { status, headers, text }: Received): void {
  const described = answersOf({ operation }).find((answer) => answer.status === status);
  const name = `${operation.operationId} ${status} ${text.slice(0, 200)}`;
  if (described === undefined) throw new Error(`not described: ${name}`);
  const type = headers.get('content-type')?.split(';')[0];
  if (described.type !== undefined) expect(type, name).toBe(described.type);
  const isJson = described.type === 'application/json';
  if (described.content) expect(faults(described.content.schema, isJson ? JSON.parse(text) : text), name).toEqual([]);
  else expect(text, name).toBe('');
  for (const [field, given] of Object.entries(described.headers)) {
    const { required, schema } = resolve<{ required?: boolean; schema: { type: string } }>(given);
    const value = headers.get(field);
    if (value === null) expect(required, `${name}: ${field} is missing`).not.toBe(true);
    else expect(faults(schema, schema.type === 'integer' ? Number(value) : value), `${name}: ${field}`).toEqual([]);
  }
}
