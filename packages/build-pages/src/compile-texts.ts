import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import type { Plugin } from 'vite';

type Compiled = CompiledMessage | { [key: string]: Compiled };

const compileTree = (node: string | object): Compiled =>
  typeof node === 'string'
    ? compile(node)
    : Object.fromEntries(Object.entries(node).map(([key, child]) => [key, compileTree(child)]));

/**
 * Compiles the ICU messages of the catalogues (`texts/*.json`), so that the pages need no parser. Fails on a faulty message.
 * With `?offline` it compiles only the message of a page that could load no catalogue.
 */
export const compileTexts: Plugin = {
  name: 'compile-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/texts\/\w{2,3}\.json(\?offline)?$/ },
    handler(json, id) {
      const texts = JSON.parse(json) as { direction: string; noConnection: object };
      if (!id.endsWith('?offline')) return JSON.stringify(compileTree(texts));
      const { direction, noConnection } = texts;
      // Vite reads no JSON of an address with a query
      const code = `export default ${JSON.stringify(compileTree({ direction, noConnection }))};`;
      return { code, moduleType: 'js' };
    },
  },
};
