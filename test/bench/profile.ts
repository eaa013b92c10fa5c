import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSpares } from './drive.ts';
import { type CpuProfile, flameGraph } from './flame-graph.ts';
import { type PathName, pathOf } from './paths/all.ts';
import { measureStretch } from './rounds.ts';
import type { ServerSide } from './sides/open-server.ts';

/** Opens Node's inspector on a free port, which `profilePath` uses. It costs nothing while nobody profiles. */
export const UNDER_INSPECTION = ['--inspect=127.0.0.1:0'];

/**
 * Sends a stretch of requests under the profiler and writes `<folder>/<path>.svg`, a flame graph, and `<path>.cpuprofile`: Chrome, VS Code
 * and speedscope open it.
 */
export async function profilePath(side: ServerSide, name: PathName, folder: string): Promise<void> {
  const { title, requests, connections } = pathOf(name);
  const load = await side.prepare(name, withSpares(requests, connections));
  if (load === undefined) return;
  const inspector = await openInspector(side.server.inspectorUrl());
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.setSamplingInterval', { interval: 200 });
  await inspector.call('Profiler.start');
  await measureStretch(side, name, load);
  const { profile } = await inspector.call('Profiler.stop');
  inspector.close();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
  await writeFile(join(folder, `${name}.svg`), flameGraph(profile as CpuProfile, title));
}

/** @see https://chromedevtools.github.io/devtools-protocol/v8/Profiler */
async function openInspector(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`nothing answers at ${url}`));
  });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: Record<string, unknown> };
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  let lastId = 0;
  return {
    call(method: string, params: object = {}): Promise<Record<string, unknown>> {
      lastId += 1;
      const id = lastId;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    close: () => socket.close(),
  };
}
