import { readdirSync, readFileSync } from 'node:fs';
import { type Mutant, mutantsOf } from './mutant.ts';

const ROOT = new URL('../../', import.meta.url);
const SCHEMA = 'schema/partners';
const ISOLATION = ['test/schema/partners/isolation.test.ts'];

/** The scope of a resolver. The definitions in `scope.ts` are not calls. */
const SCOPE = /\b(?:own|ownOrShared)\(call\)/g;

/** The least text around a place that occurs once in the file, and where the place begins in it. */
function onceAround(source: string, at: number, length: number): { text: string; before: number } {
  for (let before = 0; before <= at; before++) {
    const text = source.slice(at - before, at + length);
    if (source.split(text).length === 2) return { text, before };
  }
  throw new Error(`nothing around ${at} occurs once`);
}

/** Each resolver without its scope: found in the sources, so that a new resolver has its mutant at once. */
function withoutScope(): Mutant[] {
  return readdirSync(new URL(SCHEMA, ROOT))
    .filter((name) => name.endsWith('.ts') && name !== 'scope.ts')
    .flatMap((name) => {
      const file = `${SCHEMA}/${name}`;
      const source = readFileSync(new URL(file, ROOT), 'utf8');
      return [...source.matchAll(SCOPE)].map((match): Mutant => {
        const { text, before } = onceAround(source, match.index, match[0].length);
        return { file, text, replacement: `${text.slice(0, before)}({})`, tests: ISOLATION };
      });
    });
}

/** Faults in what keeps partners apart, and in how their people sign in. */
export const WORKSPACE: readonly Mutant[] = [
  ...withoutScope(),
  ...mutantsOf('src/workspace/own-sessions.ts', ISOLATION, [
    ['find(PartnerSession, { member: id, ...live }', 'find(PartnerSession, { ...live }'],
    ['find(PartnerSession, { member: member.id })', 'find(PartnerSession, {})'],
  ]),
  ...mutantsOf(
    'src/workspace/own-members.ts',
    ['test/src/workspace/members.test.ts'],
    [
      [
        "const standing = { id, partner, role: 'administrator', revokedAt: null }",
        'const standing = { id, partner, revokedAt: null }',
      ],
      ['if (acting.id === memberId)', 'if (acting.id === undefined)'],
      ["if (role !== 'administrator') throw notAdministrator();", ''],
    ],
  ),
  ...mutantsOf('src/activity/request-list.ts', ISOLATION, [['where partner_id = $1 and ($2', 'where ($2']]),
  ...mutantsOf('src/activity/read-partner-request.ts', ISOLATION, [
    [' where c.partner_id = $2', ' where $2::uuid is not null'],
  ]),
];
