import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { fail, type SpanMaker } from './span-maker.ts';

const VERBS = new Set(['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback', 'savepoint']);
const TABLE = /\b(?:from|into|update|join)\s+"?([a-z_]+)/gi;

type Callback = (error: unknown, result: unknown) => void;

/**
 * Makes a span of each statement within a trace, until the returned function is called. It holds verb and table only; the text of a
 * statement too where it is prepared, for then it has no values (D-006).
 */
export function traceStatements(spans: SpanMaker, tables: readonly string[]): () => void {
  const known = new Set(tables);
  const { query } = pg.Client.prototype;
  const { connect } = pg.Pool.prototype;
  pg.Client.prototype.query = function traced(this: pg.Client, ...call: unknown[]) {
    const text = textOf(call[0]);
    const span = text === undefined ? undefined : spans.child(summaryOf(text, known));
    if (span === undefined) return Reflect.apply(query, this, call);
    span.setAttributes({ 'db.system.name': 'postgresql', 'db.query.summary': summaryOf(text, known) });
    if (isPrepared(call[0])) span.setAttribute('db.query.text', text);
    const end = (error?: unknown) => {
      if (error) fail(span, error);
      span.end();
    };
    const last = call.at(-1);
    if (typeof last === 'function') {
      const callback: Callback = (error, result) => {
        end(error);
        last(error, result);
      };
      return Reflect.apply(query, this, [...call.slice(0, -1), callback]);
    }
    const answer: Promise<unknown> = Reflect.apply(query, this, call);
    answer.then(() => end(), end);
    return answer;
  } as typeof query;
  // the pool calls a waiting caller back in the async context of the one that released the connection
  pg.Pool.prototype.connect = function bound(this: pg.Pool, ...[callback]: unknown[]) {
    return Reflect.apply(
      connect,
      this,
      typeof callback === 'function' ? [AsyncResource.bind(callback as Callback)] : [],
    );
  } as typeof connect;
  return () => {
    pg.Client.prototype.query = query;
    pg.Pool.prototype.connect = connect;
  };
}

/** Undefined for a query object that runs itself, such as a cursor. */
function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null || 'submit' in statement || !('text' in statement)) return;
  return String(statement.text);
}

function isPrepared(statement: unknown): boolean {
  return typeof statement === 'object' && statement !== null && 'name' in statement && Boolean(statement.name);
}

/** Verb and first table of a statement, both from fixed lists: its text may contain values. */
function summaryOf(text: string | undefined = '', known: ReadonlySet<string>): string {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '';
  const table = [...text.matchAll(TABLE)].map(([, name = '']) => name).find((name) => known.has(name));
  return [VERBS.has(verb) ? verb.toUpperCase() : 'SQL', table].filter(Boolean).join(' ');
}
