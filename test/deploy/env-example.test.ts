import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Environment } from '../../src/platform/config/variables.ts';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const names = Object.keys(Environment.shape).toSorted();

const example = parseEnv(read('.env.example').replace(/^#(?=[A-Z_]+=)/gm, ''));

describe('.env.example', () => {
  it('has every variable of the configuration, once, and no other', () => {
    expect(Object.keys(example).toSorted()).toEqual(names);
    expect(read('.env.example').match(/^#?[A-Z_]+=/gm)).toHaveLength(names.length);
  });

  it('sets nothing until a line is uncommented', () => {
    expect(parseEnv(read('.env.example'))).toEqual({});
  });

  it.each(names)('%s: shows the default, or a value that is accepted', (name) => {
    const defaults: Record<string, unknown> = Environment.parse({});
    const shown = Environment.safeParse({ [name]: example[name] });
    expect(shown.error?.issues).toBeUndefined();
    const value = (shown.data as Record<string, unknown>)[name];
    if (defaults[name] !== undefined && name !== 'SANDBOX_PROGRAM_ID') expect(value).toEqual(defaults[name]);
  });
});

it('README.md: the table of settings has every variable, once, and no other', () => {
  const table = read('README.md').split('## Configuration')[1]?.split('\n## ')[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const told = rows.flatMap((row) => [...(row.split('|')[1]?.matchAll(/`([A-Z_]+)`/g) ?? [])].map(([, name]) => name));
  // those of OpenTelemetry are read by its SDK
  const own = told.filter((name) => !name?.startsWith('OTEL_'));
  // named in the text of the row of the API key that it stands in for
  expect([...own, 'TWILIO_AUTH_TOKEN'].toSorted()).toEqual(names);
});
