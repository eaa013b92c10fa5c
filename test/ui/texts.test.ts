import { expect, test } from 'vitest';
import { texts } from '../../adapters/login/ui/texts.ts';
import { ACTION_SCOPES } from '../../src/oauth/scopes.ts';

test('spec §5.13: every action is explained to the fan in words of its own', () => {
  expect(Object.keys(texts.actions).sort()).toEqual([...ACTION_SCOPES].sort());
  const titles = Object.values(texts.actions).map((action) => action.title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('an action that only reads is shown under "see", one that writes under "do"', () => {
  for (const [scope, { kind }] of Object.entries(texts.actions)) {
    expect(kind, scope).toBe(scope.endsWith('read') ? 'see' : 'act');
  }
});
