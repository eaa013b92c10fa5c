/** The kit's documents go to both services; what staff alone can ask is in no script that partners load. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';

const cwd = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${cwd}${path}`, 'utf8');

/** What documents share: the parts of a page of a list, and the refusal. */
const PARTS = new Map(
  [...read('admin-ui/kit/data/view.ts').matchAll(/\b(variables|args|fields|REFUSAL)(?::| =)\s+'([^']*)'/g)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);

function documentsIn(application: 'kit' | 'staff' | 'partner'): string[] {
  const files = globSync(`admin-ui/${application}/**/*.{ts,tsx}`, { cwd, exclude: (path) => path.endsWith('dist') });
  return files.flatMap((file) =>
    [...read(file).matchAll(/graphql\(\s*`([^`]*)`/g)].map(([, text = '']) =>
      text.replaceAll(/\$\{(?:PAGE\.)?(\w+)\}/g, (_, name) => PARTS.get(name) ?? ''),
    ),
  );
}

const namesIn = (application: 'kit' | 'staff' | 'partner') =>
  documentsIn(application).flatMap((text) => /(?:query|mutation) (\w+)/.exec(text)?.[1] ?? []);

test.each(['schema/schema.graphql', 'schema/partners.graphql'])('%s answers every document of the kit', (path) => {
  const schema = buildSchema(read(path));
  const documents = documentsIn('kit');
  expect(documents.length).toBeGreaterThan(10);
  expect(documents.flatMap((text) => validate(schema, parse(text)).map(({ message }) => message))).toEqual([]);
});

test('what the workspace loads has no document and no word that is for staff only', () => {
  const scripts = globSync('admin-ui/partner/dist/assets/*.js', { cwd }).map(read).join('\n');
  const isShipped = (name: string) => new RegExp(`(?:query|mutation) ${name}\\b`).test(scripts);
  const theirs = namesIn('partner');
  expect(theirs.filter((name) => !isShipped(name))).toEqual([]);
  const own = new Set([...theirs, ...namesIn('kit')]);
  const ofStaff = namesIn('staff').filter((name) => !own.has(name));
  expect(ofStaff.length).toBeGreaterThan(60);
  expect(ofStaff.filter(isShipped)).toEqual([]);
  expect(scripts.match(/kill switch|review queue|audit log is intact|one-time link/gi)).toBeNull();
});
