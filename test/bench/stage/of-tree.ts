/**
 * Preloaded into the process that prepares requests: takes the code of the service from the tree `BENCH_TREE` instead of this one, and
 * only the bench from here.
 *
 * @module
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const here = new URL('../../../', import.meta.url).href;
const bench = new URL('../', import.meta.url).href;
const there = `${pathToFileURL(process.env.BENCH_TREE ?? '.').href}/`;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(here) || resolved.url.startsWith(bench)) return resolved;
    return { ...resolved, url: there + resolved.url.slice(here.length) };
  },
});
