import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HomeData } from '../../../admin-ui/staff/dashboard/document.ts';
import { needsOf } from '../../../admin-ui/staff/dashboard/needs.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const DAY = 24 * 60;
const NONE = { totalCount: 0, nodes: [] };
const FINE = {
  stuck: NONE,
  unread: NONE,
  waiting: { totalCount: 3, nodes: [{ waiting: { since: ago(14), isSetAside: false } }] },
  setAside: NONE,
  importRuns: { nodes: [] },
  failingClients: [],
  failingJobs: [],
  verification: { sentToday: 79, breakers: [], limits: { perDay: 100 } },
  reviewQueue: NONE,
  proposalQueue: NONE,
  approved: NONE,
} as unknown as HomeData;

const titles = (change: object) => needsOf({ ...FINE, ...change } as HomeData, NOW).map(({ title }) => title);
const run = (state: string, failed: number, minutes: number, fileName: string | null = 'a.csv') => ({
  importRuns: { nodes: [{ id: 'imp_1', fileName, state, failed, startedAt: ago(minutes) }] },
});

describe('what needs somebody', () => {
  it('is nothing while permits wait for a quarter of an hour and a fifth of the day’s codes is left', () => {
    expect(titles({})).toEqual([]);
    const late = { totalCount: 3, nodes: [{ waiting: { since: ago(16), isSetAside: false } }] };
    expect(titles({ waiting: late })).toEqual(['3 permits wait to be issued']);
    expect(titles({ verification: { sentToday: 80, breakers: [], limits: { perDay: 100 } } })).toEqual([
      'Today’s SMS codes run out',
    ]);
  });

  it('names permits that the cluster refused once: they do not also count as waiting', () => {
    const refused = { totalCount: 1, nodes: [{ waiting: { since: ago(90), isSetAside: true } }] };
    expect(titles({ waiting: refused, setAside: { totalCount: 1 } })).toEqual(['The cluster refused 1 permit']);
  });

  it('is an import of the last week that was interrupted, or has ended with failed rows', () => {
    expect(titles(run('FINISHED', 2, 6 * DAY))).toEqual(['1 import is incomplete']);
    expect(titles(run('INTERRUPTED', 0, 60))).toEqual(['1 import is incomplete']);
    for (const fine of [run('FINISHED', 2, 8 * DAY), run('RUNNING', 2, 1), run('FINISHED', 0, 1)]) {
      expect(titles(fine)).toEqual([]);
    }
  });

  it('is a stop of codes, by the name of the country', () => {
    const verification = { sentToday: 0, limits: { perDay: 100 }, breakers: [{ country: 'FR' }, { country: null }] };
    expect(titles({ verification })).toEqual([
      'Codes by SMS to France are stopped',
      'Codes by SMS to all countries are stopped',
    ]);
  });
});

it('each section of the runbook that the console names is there', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const sources = ['dashboard/needs.ts', 'shell/banners.tsx', 'pages/claim.tsx'].map((path) =>
    read(`admin-ui/staff/${path}`),
  );
  const named = sources.flatMap((text) =>
    [...text.matchAll(/(?:runbook: |section=)(?:isEmpty \? )?['"](\w+)['"](?: : '(\w+)')?/g)].flatMap(([, ...names]) =>
      names.filter((name) => name !== undefined),
    ),
  );
  const sections: string[] = read('docs/runbook/incidents.md').match(/(?<=^## )\w+$/gm) ?? [];
  expect(named.length).toBeGreaterThan(7);
  expect(named.filter((name) => !sections.includes(name))).toEqual([]);
});
