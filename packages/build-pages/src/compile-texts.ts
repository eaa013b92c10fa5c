import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import type { Plugin } from 'vite';

type Compiled = CompiledMessage | { [key: string]: Compiled };

const compileTree = (node: string | object): Compiled =>
  typeof node === 'string'
    ? compile(node)
    : Object.fromEntries(Object.entries(node).map(([key, child]) => [key, compileTree(child)]));

/** Compiles the ICU messages of the catalogues (`texts/*.json`), so that the pages need no parser. Fails on a faulty message. */
export const compileTexts: Plugin = {
  name: 'compile-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/texts\/\w\w\.json$/ },
    handler: (json) => JSON.stringify(compileTree(JSON.parse(json) as object)),
  },
};
