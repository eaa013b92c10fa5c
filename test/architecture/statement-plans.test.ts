import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it, vi } from 'vitest';
import { fillTables } from '../support/fill-tables.ts';
import { testApp } from '../support/test-app.ts';

/** Alone: for its mock. */

// D-337: how PostgreSQL would run each prepared statement after a quiet time, with a long history and little or nothing open

const { texts } = vi.hoisted(() => ({ texts: new Set<string>() }));
vi.mock('../../src/platform/database/prepared.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/platform/database/prepared.ts')>();
  const noted =
    <Rest extends unknown[], Result>(prepare: (text: string, ...rest: Rest) => Result) =>
    (text: string, ...rest: Rest) => {
      texts.add(text);
      return prepare(text, ...rest);
    };
  return {
    ...original,
    prepared: noted(original.prepared),
    preparedWithDates: noted(original.preparedWithDates),
  };
});

const ROWS = 20_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @see https://www.postgresql.org/docs/current/sql-explain.html */
interface PlanNode {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Parent Relationship'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** Statements that are to read all that is open, by a part of their text. */
const READ_ALL = [
  // the due ones of the open moves, each of which is due again within minutes
  'select m.id from custody_move m where m.mode = $1',
  // the open moves that wait for what has appeared
  'update custody_move m set retry_at = $1',
];

const app = await testApp();
beforeAll(async () => {
  for await (const file of glob('{src,adapters}/**/*.ts', { cwd: ROOT, exclude: ['**/ui/**', '**/dist/**'] })) {
    const source = await readFile(ROOT + file, 'utf8');
    if (/from '[./\w-]*(prepared|share-statement)\.ts'/.test(source)) await import(ROOT + file);
  }
  await fillTables(app.runtime.pool, ROWS);
  await app.runtime.pool.query('delete from listing where closed_at is null');
  await app.runtime.pool.query('vacuum analyze');
});

interface PartialIndex {
  name: string;
  firstColumn: string;
  /** The columns of its table that its condition does not speak of. */
  others: string[];
}

async function partialIndexes(): Promise<Map<string, PartialIndex>> {
  const { rows } = await app.runtime.pool.query<PartialIndex>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid, 1, true) as "firstColumn",
       array(select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum > 0 and not a.attisdropped
         and pg_get_expr(i.indpred, i.indrelid) !~ ('\\m' || a.attname || '\\M')) as others
     from pg_index i where i.indpred is not null`,
  );
  return new Map(rows.map((index) => [index.name, index]));
}

async function planOf(text: string): Promise<PlanNode> {
  const { rows } = await app.runtime.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (generic_plan, format json) ${text}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error(`no plan of ${text}`);
  return plan;
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/**
 * Whether a node reads a partial index from end to end: to throw rows away by another column, for a column that is not its first, or to
 * keep all of it for another part of the statement.
 */
function readsWhole(node: PlanNode, { firstColumn, others }: PartialIndex): boolean {
  const { Filter: filter = '', 'Index Cond': condition } = node;
  if (condition !== undefined) return !condition.includes(firstColumn);
  return node['Parent Relationship'] === 'SubPlan' || others.some((column) => mentions(filter, column));
}

function mentions(expression: string, column: string): boolean {
  return new RegExp(`\\b${column}\\b`).test(expression);
}

it('a statement that names a row finds it by its key: it does not read the index of all that is open', async () => {
  const partial = await partialIndexes();
  const wrong: string[] = [];
  const excepted = new Set<string>();
  for (const text of texts) {
    for (const node of nodesOf(await planOf(text))) {
      const index = partial.get(node['Index Name'] ?? '');
      if (index === undefined || !readsWhole(node, index)) continue;
      const exception = READ_ALL.find((part) => text.includes(part));
      if (exception !== undefined) excepted.add(exception);
      else wrong.push(`${index.name}: cond ${node['Index Cond']}, filter ${node.Filter}, of ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([...excepted]).toEqual(READ_ALL);
  expect(texts.size).toBeGreaterThan(300);
});
