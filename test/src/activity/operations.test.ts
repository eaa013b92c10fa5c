import { describe, expect, it } from 'vitest';
import { loginRouter } from '../../../adapters/login/router.ts';
import { portalRouter } from '../../../adapters/portal/router.ts';
import { OPERATIONS } from '../../../src/activity/operation-texts.ts';
import {
  describeOperation,
  describeWithReason,
  labelOf,
  operationOf,
  operationsNamed,
} from '../../../src/activity/operations.ts';

describe('the list of operations', () => {
  it('a refusal is told in the words that the caller got, and in those of its code where they were not kept', () => {
    expect(describeWithReason('token.exchange', 'invalid_request', 'code is invalid or expired')).toBe(
      'The app tried to exchange a code for tokens: code is invalid or expired.',
    );
    expect(describeWithReason('tickets.list', 'grant_revoked', null)).toBe(
      'The app tried to read the tickets: grant revoked.',
    );
    expect(describeWithReason('tickets.list', 'ok', null)).toBe('The app read the tickets.');
    expect(describeWithReason('gone.operation', 'not_found', 'There is none.')).toBe('gone.operation: There is none.');
  });

  it.each([
    ['login', Object.keys(loginRouter._def.procedures)],
    ['portal', Object.keys(portalRouter._def.procedures)],
  ])('has every procedure of the %s pages: none is logged as something else', (page, procedures) => {
    expect(procedures.length).toBeGreaterThan(5);
    expect(procedures.filter((name) => operationOf(`${page}.${name}`) === 'other')).toEqual([]);
  });

  it('has a group of all calls but those of the console and the files of pages', () => {
    const shown = operationsNamed('not_console');
    expect(Object.keys(OPERATIONS).filter((name) => !(shown as string[]).includes(name))).toEqual([
      'graphql.query',
      'graphql.mutation',
      'page.file',
    ]);
  });

  it('is closed: a name that a caller made up is `other`, also one that every object has', () => {
    for (const name of ['login.no.such', 'constructor', '__proto__', 'toString', ''])
      expect(operationOf(name)).toBe('other');
  });

  it('fits its column, and describes every operation in a sentence, done or refused', () => {
    for (const operation of Object.keys(OPERATIONS)) {
      expect(operation.length).toBeLessThanOrEqual(40);
      expect(describeOperation(operation, 'ok')).toMatch(/^[A-Z].*[^.]\.$/);
      expect(describeOperation(operation, 'grant_revoked')).toMatch(/^[A-Z][^:]*[^.]\.$/);
      expect(labelOf(operation)).toMatch(/^\S.*\S$/);
    }
  });
});
