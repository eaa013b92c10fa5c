/**
 * Makes the SDK's types of the Fan API from the committed OpenAPI description. They are no part of the repository: what compiles the SDK
 * makes them first.
 *
 *   npm run types     writes them, with those of the GraphQL documents
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const TYPES = new URL('../src/openapi.ts', import.meta.url);
const DESCRIPTION = new URL('../../../adapters/partner-api/fan/openapi.json', import.meta.url);

/** Writes `src/openapi.ts`. */
export async function writeTypes(): Promise<void> {
  writeFileSync(TYPES, await describeTypes());
}

/** An operation in the description. */
interface Operation {
  responses: Record<string, { headers?: unknown }>;
}

/**
 * Only what the SDK calls, and its 2xx answers: the authorization server's paths have a server of their own, which oauth4webapi calls,
 * partners receive webhooks, and refusals are `FanApiError`, whose headers are `AnswerFacts`.
 */
async function describeTypes(): Promise<string> {
  const { paths, webhooks: _received, components, ...document } = JSON.parse(readFileSync(DESCRIPTION, 'utf8'));
  const own = Object.entries<object>(paths).filter(([, path]) => !('servers' in path));
  const called = own.map(([path, methods]) => {
    const operations = Object.entries<Operation>(methods as Record<string, Operation>);
    return [path, Object.fromEntries(operations.map(([method, operation]) => [method, withGoodAnswers(operation)]))];
  });
  const { responses: _refusals, headers: _facts, ...used } = components;
  const nodes = await openapiTS({ ...document, paths: Object.fromEntries(called), components: used });
  return `// Generated from adapters/partner-api/fan/openapi.json by npm run types.\n\n${withoutAbsent(astToString(nodes))}`;
}

function withGoodAnswers(operation: Operation): Operation {
  const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const answers = good.map(([status, { headers: _, ...answer }]) => [status, answer]);
  return { ...operation, responses: Object.fromEntries(answers) };
}

/** Drops the members that a path or an operation does not have: the generator names each of them as `never`. */
function withoutAbsent(types: string): string {
  return types.replaceAll(/^ +\w+\?: never;\n/gm, '').replaceAll(/^ +parameters: \{\n +\};\n/gm, '');
}

if (import.meta.main) await writeTypes();
