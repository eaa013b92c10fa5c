import { describe, expect, it } from 'vitest';
import { BASELINE, MIGRATIONS } from '../../src/entities/migrations/all.ts';

/** A process of the release before goes on while and after a migration runs. */
const RULES: [breaks: RegExp, why: string][] = [
  [/\bdrop table\b/i, 'a table that the release before reads'],
  [
    /\bdrop (column|(?!constraint|not null|default|index|trigger|function|expression|if exists)")/i,
    'a column that the release before reads',
  ],
  [/\brename\b/i, 'a name that the release before uses'],
  [/\balter column\b[^,]*\b(type|set not null)\b/i, 'a column that the release before writes otherwise'],
];

/** What in the statements of a migration would stop processes of the release before, or hold up their requests. */
function faultsOf(statements: readonly string[]): string[] {
  const all = statements.join(';\n');
  const faults = RULES.filter(([breaks]) => breaks.test(all)).map(([, why]) => why);
  for (const statement of statements) {
    for (const added of statement.match(/\badd (column )?"?\w+"? [^,]*/gi) ?? []) {
      const isColumn = !/\badd (constraint|primary|unique|check|foreign|exclude)\b/i.test(added);
      if (isColumn && /\bnot null\b/i.test(added) && !/\bdefault\b/i.test(added))
        faults.push('a column that the release before does not write');
    }
    const [, table] = /^create (?:unique )?index (?!concurrently)\S+ on "?(\w+)"?/i.exec(statement) ?? [];
    if (table !== undefined && !new RegExp(`create table "?${table}"?`, 'i').test(all)) {
      faults.push(`an index on ${table} that is not built concurrently`);
    }
    const [, index] = /^create (?:unique )?index concurrently "?(\w+)"?/i.exec(statement) ?? [];
    if (index !== undefined && !new RegExp(`drop index concurrently if exists "?${index}"?`, 'i').test(all)) {
      faults.push(`an index ${index} that is not dropped first, where an earlier run failed`);
    }
  }
  const concurrent = statements.filter((statement) => /\bindex concurrently\b/i.test(statement));
  if (concurrent.length > 0 && concurrent.length < statements.length)
    faults.push('other statements beside an index that is built concurrently, outside of a transaction');
  return faults;
}

describe('D-224: a migration leaves the release before at work', () => {
  it('each only adds, and builds indexes on existing tables concurrently', () => {
    const [baseline, ...later] = MIGRATIONS;
    expect(baseline?.name).toBe(BASELINE);
    const faults = later.map((migration) => [migration.name, ...faultsOf(migration.statements)]);
    expect(faults.filter(([, ...found]) => found.length > 0)).toEqual([]);
  });

  it.each([
    ['drop table "listing"'],
    ['alter table "listing" drop column "price"'],
    ['alter table "listing" drop "price"'],
    ['alter table "listing" rename column "price" to "amount"'],
    ['alter table "listing" alter column "price" type text'],
    ['alter table "listing" alter column "price" set not null'],
    ['alter table "listing" add "amount" bigint null, add "fee" bigint not null'],
    ['create index listing_price on listing (price)'],
    ['create index concurrently listing_price on listing (price)'],
  ])('the rule sees %s', (statement) => {
    expect(faultsOf([statement])).toHaveLength(1);
  });

  it.each([
    [['alter table "listing" add "amount" bigint null, add "fee" bigint not null default 0']],
    [
      [
        'alter table "listing" drop constraint "c"',
        'alter table "listing" add constraint "c" check ("fee" is not null)',
      ],
    ],
    [['alter table "listing" alter column "price" drop not null']],
    [['create table "sale" ("id" uuid not null)', 'create index sale_id on sale (id)']],
    [['drop index concurrently if exists listing_price', 'create index concurrently listing_price on listing (price)']],
  ])('the rule lets pass %s', (statements) => {
    expect(faultsOf(statements)).toEqual([]);
  });
});
