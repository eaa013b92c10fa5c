import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { describeFanApi } from '../../../../adapters/partner-api/fan/openapi.ts';
import { answersOf, operationsOf, resolve } from '../../../support/openapi.ts';
import { faults } from '../../../support/schema-checks.ts';

describe('the OpenAPI description', () => {
  it('has nothing that a linter would mend', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // the committed file is that of a developer's machine; authorize answers by redirects and pages only
      rules: { 'no-server-example.com': 'off', 'operation-2xx-response': 'off' },
    });
    const problems = await lintFromString({ source: JSON.stringify(describeFanApi()), config });
    expect(problems.map(({ message, ruleId, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  const answers = operationsOf().flatMap((operation) => answersOf(operation));
  it.each(answers.filter(({ content }) => content !== undefined))(
    '$operation $status: every example fits its schema',
    ({ content }) => {
      const examples = Object.values(content?.examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const { value } of examples) expect(faults(content?.schema, value)).toEqual([]);
    },
  );

  it('an example of every request, header and error code fits its schema', () => {
    for (const { operation } of operationsOf()) {
      const body = Object.values(operation.requestBody?.content ?? {});
      for (const { schema, examples } of body) {
        expect(Object.keys(examples).length).toBeGreaterThan(0);
        for (const { value } of Object.values(examples)) expect(faults(schema, value)).toEqual([]);
      }
    }
    for (const { name, headers } of answers) {
      for (const [header, given] of Object.entries(headers)) {
        const { schema, example } = resolve<{ schema: object; example: unknown }>(given);
        expect(faults(schema, example), `${name} ${header}`).toEqual([]);
      }
    }
  });

  it('every link leads to an operation, and its parameters are that operation’s', () => {
    const known = new Map(operationsOf().map(({ operation }) => [operation.operationId, operation]));
    for (const { links, name } of answers) {
      for (const { operationId, parameters = {} } of Object.values(links)) {
        const named = (known.get(operationId)?.parameters ?? []).map((parameter) => parameter.name);
        expect(known.has(operationId), `${name} ${operationId}`).toBe(true);
        expect(named).toEqual(expect.arrayContaining(Object.keys(parameters)));
      }
    }
  });

  it('names every operation of the contract, and marks what stands beside it', () => {
    const beside = operationsOf().filter(({ operation }) => operation['x-beside-contract']);
    const contract = operationsOf().filter(({ operation }) => !operation['x-beside-contract']);
    expect(contract.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'get /.well-known/jwks.json',
      'get /.well-known/openid-configuration',
      'get /oauth2/authorize',
      'get /oauth2/userinfo',
      'get /tickets',
      'post /authorizations',
      'post /claims/execute',
      'post /oauth2/token',
    ]);
    expect(beside.map(({ operation }) => operation.operationId)).toContain('fetchWallet');
  });
});
