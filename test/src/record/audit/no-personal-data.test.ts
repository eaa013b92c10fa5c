import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { givenReason } from '../../../../src/record/audit/reason.ts';

const source = await readFile(new URL('../../../../src/record/audit/audit-actions.ts', import.meta.url), 'utf8');

/** The types of the file by name, and the schemas of `grant.*` by action, as text. */
const types = new Map(
  [...source.matchAll(/^(?:export )?type (\w+) = (.*?);$(?=\n(?! ))/gms)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);

/** The text of each action's details. */
function actions(): Map<string, string> {
  const typed = source.slice(source.indexOf('export interface AuditDetails'));
  const schemas = source.slice(source.indexOf('export const GRANT_DETAILS'), source.indexOf('} as const;'));
  const found = [...schemas.matchAll(/^ {2}'([\w.]+)': (.*?)(?=^ {2}['/]|$(?![\s\S]))/gms)];
  found.push(...typed.matchAll(/^ {2}'([\w.]+)': (.*?);$(?=\n(?: {2}['/]|\}))/gms));
  return new Map(found.map(([, action = '', text = '']) => [action, text]));
}

/** The fields in a text, with those of the types that it names. */
function fieldsIn(text: string): string[] {
  const own = [...text.matchAll(/(\w+)\??:/g)].map(([, field = '']) => field);
  const named = [...types].filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)).map(([, other]) => other);
  return [...own, ...named.flatMap(fieldsIn), ...(/\bTicketSelection\b/.test(text) ? ['mode', 'tickets'] : [])];
}

/** What the entries about fans and their things may hold. */
const HARMLESS = new Set([
  // identifiers, and addresses on the chain
  ...[
    'client',
    'proposal',
    'fan',
    'ticket',
    'partner',
    'passkey',
    'move',
    'origin',
    'from',
    'to',
    'claim',
    'grant',
    'permit',
  ],
  ...['owner', 'marketplace', 'message_hash', 'transaction', 'run'],
  // words of ours, numbers, times
  ...['reason', 'by', 'kind', 'mode', 'actions', 'tickets', 'state', 'policy', 'status', 'source', 'format', 'onchain'],
  ...['price', 'slot', 'visits', 'signIns', 'numbers', 'rows', 'lines', 'after_failure', 'endsSales', 'endsGrants'],
  // the sentence of a listing: a permit, a price, a marketplace
  'sentence',
  // reasons that staff gave, which have no number (`reason.ts`)
  ...['note', 'bulkReason'],
  // of a company's file and of events: no fan is in it
  ...['event', 'file', 'before', 'after'],
]);
const ABOUT_FANS =
  /^(fan|grant|passkey|refresh_token|proposal|kill_switch|ticket|ticket_type|listing|claim|custody_move|permit|inventory|import_run)\./;

describe('the audit log has no personal data of fans', () => {
  it.each([...actions()].filter(([action]) => ABOUT_FANS.test(action)))('%s', (_, text) => {
    expect(fieldsIn(text).filter((field) => !HARMLESS.has(field))).toEqual([]);
  });

  it('all actions were read, with the fields of the types that they name', () => {
    const all = actions();
    expect(all.size).toBe([...source.matchAll(/^ {2}'\w+\.\w+': /gm)].length);
    expect([...all.keys()].filter((action) => ABOUT_FANS.test(action)).length).toBeGreaterThan(45);
    expect(fieldsIn(all.get('custody_move.failed') ?? '')).toEqual(
      expect.arrayContaining(['move', 'kind', 'ticket', 'fan', 'from', 'to', 'origin', 'reason']),
    );
    expect(fieldsIn(all.get('staff.signed_in') ?? '')).toEqual(expect.arrayContaining(['address', 'browser']));
    expect(fieldsIn("{ fan: Id<'usr'>; phone: string }").filter((field) => !HARMLESS.has(field))).toEqual(['phone']);
  });

  it.each(['asked by +49 151 23456789', '+12025550101', 'call (+44) 20 7946 0958', 'at +1 (202) 555-0101.'])(
    'a reason with a phone number is refused: %s',
    (text) => {
      expect(() => givenReason(text)).toThrow(/by identifier, not by number/);
    },
  );

  it.each(['order 2026-11-28 14:00 12345678', 'usr_01jd, +2 tickets', 'a +50% price, 1234567890'])(
    'other figures are not: %s',
    (text) => {
      expect(givenReason(` ${text} `)).toBe(text);
    },
  );
});
