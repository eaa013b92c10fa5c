import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { type MetricObjectWithValues, type MetricValue, register } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import '../../adapters/process/serve.ts';
import { provideMetrics } from '../../adapters/process/telemetry/serve-metrics.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('deploy/grafana/fan-api.json')) as { panels: Panel[]; uid: string };

/** Every query with where it stands. Grafana fills in its variables before Prometheus reads it. */
const queries = [
  ...rules.map(({ alert, expr }) => ({ place: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  ),
];

/** The severity of an alert that fires for each mode. */
const SEVERITY_BY_MODE = '{{ if eq $labels.mode "sandbox" }}ticket{{ else }}page{{ end }}';

/** What Prometheus adds to each series. */
const ADDED = ['job', 'instance'];

/** The labels of each series that the service exports, with those that a histogram has. */
const pool = { totalCount: 1, idleCount: 1, waitingCount: 0, query: async () => ({ rows: [] }) };
const config = { databasePool: 1 };
provideMetrics({ config, pool } as never);
const exported = new Map<string, string[]>([['up', []]]);
for (const metric of await register.getMetricsAsJSON()) {
  const { name, type } = metric as MetricObjectWithValues<MetricValue<string>>;
  const { labelNames = [] } = register.getSingleMetric(name) as { labelNames?: string[] };
  const names = String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
  for (const each of names) exported.set(each, [...labelNames, ...(each.endsWith('_bucket') ? ['le'] : [])]);
}

interface Found {
  name: string;
  text: string;
  node: ReturnType<typeof parser.parse>['topNode'];
}

function nodesOf(expr: string): Found[] {
  const found: Found[] = [];
  parser.parse(expr).iterate({
    enter({ name, from, to, node }) {
      found.push({ name, text: expr.slice(from, to), node });
    },
  });
  return found;
}

/** What is wrong with a query: its grammar, or a series or label that the service does not have. */
function faultsOf(expr: string): string[] {
  const nodes = nodesOf(expr);
  const faults = nodes.filter(({ node }) => node.type.isError).map(({ text }) => `no PromQL at “${text}”`);
  const labels = new Set(ADDED);
  for (const { text, node } of nodes.filter(({ name }) => name === 'VectorSelector')) {
    const metric = /^\w+/.exec(text)?.[0] ?? '';
    const known = exported.get(metric);
    if (known === undefined) faults.push(`no metric ${metric}`);
    for (const label of known ?? []) labels.add(label);
    const matched = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    for (const matcher of matched) {
      const label = /^\w+/.exec(expr.slice(matcher.from, matcher.to))?.[0] ?? '';
      if (![...ADDED, ...(known ?? [])].includes(label)) faults.push(`${metric} has no label ${label}`);
    }
  }
  const grouped = nodes.filter(({ name, node }) => name === 'LabelName' && node.parent?.name === 'GroupingLabels');
  faults.push(...grouped.filter(({ text }) => !labels.has(text)).map(({ text }) => `nothing has the label ${text}`));
  return faults;
}

describe('deploy/: what the alerts and the dashboard ask for', () => {
  it('is PromQL, of metrics and labels that the service exports', () => {
    expect(queries.length).toBeGreaterThan(50);
    expect(queries.flatMap(({ place, expr }) => faultsOf(expr).map((fault) => `${place}: ${fault}`))).toEqual([]);
  });

  it.each([
    ['rate(http_request_duration_seconds_count[5m]', /no PromQL/],
    ['http_requests_total', /no metric http_requests_total/],
    ['chain_ready{cluster="a"}', /chain_ready has no label cluster/],
    ['sum by (cluster) (chain_ready)', /nothing has the label cluster/],
  ])('the check itself finds a fault: %s', (expr, fault) => {
    expect(faultsOf(expr)).toEqual([expect.stringMatching(fault)]);
  });

  it('every metric of the service is in one of them, so that none is exported for nobody', () => {
    const asked = queries.map(({ expr }) => expr).join('\n');
    const own = [...register.getMetricsAsArray()].map(({ name }) => name);
    const unasked = own.filter(
      (name) => !/^(nodejs|process)_/.test(name) && !new RegExp(`\\b${name}(_|\\b)`).test(asked),
    );
    expect(unasked).toEqual([]);
  });
});

describe('D-354: what partners try out pages nobody', () => {
  const selectors = rules.flatMap((rule) =>
    nodesOf(rule.expr)
      .filter(({ name }) => name === 'VectorSelector')
      .map(({ text }) => ({ ...rule, text })),
  );
  const modes = (text: string) => exported.get(/^\w+/.exec(text)?.[0] ?? '')?.includes('mode');

  it('no alert on requests counts what is simulated', () => {
    const onRequests = selectors.filter(({ text }) => text.startsWith('http_request'));
    expect(onRequests.length).toBeGreaterThan(5);
    const counting = onRequests.filter(({ text }) => !/result(!="simulated"|="(failed|refused)")/.test(text));
    expect(counting).toEqual([]);
  });

  it('an alert that pages leaves the sandbox out, or says for it that it can wait', () => {
    const paging = selectors.filter(({ labels, text }) => labels.severity !== 'ticket' && modes(text));
    expect(paging.length).toBeGreaterThan(8);
    for (const { alert, expr, labels, text } of paging) {
      const waits = labels.severity === SEVERITY_BY_MODE && /by \(mode\)/.test(expr);
      expect(waits || /mode(!="sandbox"|="production")/.test(text), alert).toBe(true);
    }
  });
});

const runbook = read('docs/runbook/incidents.md');
const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);

it('deploy/prometheus/alerts.yaml has for each alert a severity, a summary and a section of the runbook that says what it means, where to look, and what mends it', () => {
  expect(sections).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket', SEVERITY_BY_MODE]).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.runbook).toBe(`docs/runbook/incidents.md#${alert.toLowerCase()}`);
    const [text = ''] = runbook.split(`## ${alert}\n`)[1]?.split(/^## /m) ?? [];
    for (const part of ['**Meaning.**', '**Look.**', '**Mend.**']) expect(text, alert).toContain(part);
  }
});

describe('deploy/grafana/fan-api.json', () => {
  it('has panels with ids of their own that do not cover each other', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(cells.get(`${x},${y}`), `${title} covers`).toBeUndefined();
          cells.set(`${x},${y}`, title);
        }
      }
    }
  });

  it('shows a unit for what is a time or a share', () => {
    const bare = dashboard.panels.filter((panel) => {
      const unit = (panel as { fieldConfig?: { defaults: { unit: string } } }).fieldConfig?.defaults.unit;
      return panel.targets?.some(({ expr }) => /histogram_quantile|time\(\)/.test(expr)) && unit !== 's';
    });
    expect(bare).toEqual([]);
  });
});
