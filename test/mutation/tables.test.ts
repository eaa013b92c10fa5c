import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TABLES } from './tables.ts';

describe('mutants', () => {
  test.each(Object.entries(TABLES))('%s: each text occurs exactly once in its file', (_, mutants) => {
    const broken = mutants.flatMap(({ file, text }) => {
      const count = existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;
      return count === 1 ? [] : [`${file}: ${count} times: ${text}`];
    });
    expect(broken).toEqual([]);
  });

  test.each(Object.entries(TABLES))('%s: each test path exists', (_, mutants) => {
    const missing = new Set(mutants.flatMap(({ tests }) => tests.filter((path) => !existsSync(path))));
    expect([...missing]).toEqual([]);
  });
});
