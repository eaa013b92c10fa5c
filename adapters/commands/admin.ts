import { schema } from '../../schema/schema.ts';
import { UsageError } from './flags.ts';
import { documentOf, type Operation, operationsOf } from './operation-document.ts';
import { readFlags } from './operation-flags.ts';
import { runCommand } from './run-command.ts';
import { runOperation } from './run-operation.ts';

/**
 * `npm run admin -- <operation> [--argument value …]`: runs a query or mutation of the GraphQL schema and prints the answer
 * as JSON. Exit code 1: refused or failed; 2: wrong command line. Without an operation it lists them.
 */
await runCommand(async () => {
  const operations = operationsOf(schema);
  const [name, ...words] = process.argv.slice(2);
  if (name === undefined || name === '--help') {
    process.stdout.write(describeOperations(operations));
    return 0;
  }
  const operation = operations.find(({ field }) => field.name === name);
  if (!operation) throw new UsageError(`${name}: no such operation; list them with npm run admin`);
  const { values, fields } = readFlags(operation, words);
  const outcome = await runOperation(process.env, documentOf(operation, Object.keys(values), fields), values);
  const [answer] = Object.values(outcome.data ?? {});
  const failed = outcome.errors.length > 0;
  print(failed ? { errors: outcome.errors } : answer);
  return failed || isRefusal(answer) ? 1 : 0;
});

function print(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer ?? null, null, 2)}\n`);
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && '__typename' in answer && answer.__typename === 'Refusal';
}

function describeOperations(operations: Operation[]): string {
  const linesOf = (kind: Operation['kind']) =>
    operations.filter((operation) => operation.kind === kind).flatMap(describeOperation);
  return [
    'npm run admin -- <operation> [--argument value …] [--fields "{ id name }"]',
    '',
    'Without ADMIN_TOKEN, it acts as the local admin on this data; with one, as the token’s owner, over HTTP to ADMIN_URL.',
    'For a list, repeat the flag or write JSON; an object is JSON. ! marks required arguments.',
    '',
    'Queries:',
    ...linesOf('query'),
    '',
    'Changes:',
    ...linesOf('mutation'),
    '',
  ].join('\n');
}

function describeOperation({ field }: Operation): string[] {
  const flags = field.args.map(({ name, type }) => ` --${name} ${String(type)}`).join('');
  return [`  ${field.name}${flags}`, ...(field.description ? [`      ${field.description.split('\n')[0]}`] : [])];
}
