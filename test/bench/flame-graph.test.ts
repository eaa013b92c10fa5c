import { expect, it } from 'vitest';
import { type CpuProfile, flameGraph } from './flame-graph.ts';

const call = (functionName: string, url = 'node:http') => ({ functionName, url, lineNumber: 6 });
const OURS = new URL('../../src/token/exchange-code.ts', import.meta.url).href;
const LIBRARY = new URL('../../node_modules/koa/lib/application.js', import.meta.url).href;

/** 10 samples of work, and 90 in which the thread waited. */
const PROFILE: CpuProfile = {
  nodes: [
    { id: 1, callFrame: call('(root)', ''), children: [2, 3, 4] },
    { id: 2, callFrame: call('(idle)', ''), hitCount: 90 },
    { id: 3, callFrame: call('handle<a>', LIBRARY), hitCount: 1, children: [5, 6] },
    { id: 4, callFrame: call('(garbage collector)', ''), hitCount: 2 },
    { id: 5, callFrame: call('exchangeCode', OURS), hitCount: 4 },
    { id: 6, callFrame: call('exchangeCode', OURS), hitCount: 3 },
  ],
};

it('a frame is as wide as its share of the time in which the thread worked', () => {
  const svg = flameGraph(PROFILE, 'code exchange');
  expect(svg).toContain('<title>main thread, 100.0 %</title><rect x="0.0" y="16" width="1200.0"');
  expect(svg).toContain('(garbage collector), 20.0 %');
  expect(svg).not.toContain('idle');
});

it('a function stands once below its caller, with its file', () => {
  const svg = flameGraph(PROFILE, 'code exchange');
  expect(svg.match(/exchangeCode, src\/token\/exchange-code\.ts:7, 70\.0 %/g)).toHaveLength(1);
  expect(svg).toContain('node_modules/koa/lib/application.js:7, 80.0 %');
});

it('names are escaped, and a profile without samples is an empty graph', () => {
  const svg = flameGraph(PROFILE, 'a & b');
  expect(svg).toContain('>a &#38; b.');
  expect(svg).toContain('handle&#60;a&#62;');
  expect(flameGraph({ nodes: [] }, 'nothing')).not.toContain('<title>');
});
