import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SOURCE = join(import.meta.dirname, '../../packages/sdk/src');
const ENTRY = 'virtual:sdk';

/** A page's script that has the SDK's browser part on `window.sdk`, as a partner's bundler makes it: minified. */
export async function bundleSdk(): Promise<string> {
  const entries = await Promise.all(
    ['index.ts', 'browser.ts'].map(async (name) => {
      const file = join(SOURCE, name);
      return { file, names: Object.keys(await import(file)).join(', ') };
    }),
  );
  const imports = entries.map(({ file, names }) => `import { ${names} } from ${JSON.stringify(file)};`);
  return bundle(`${imports.join('\n')}\nglobalThis.sdk = { ${entries.map(({ names }) => names).join(', ')} };`);
}

/** @param code of the page's script */
export async function bundle(code: string): Promise<string> {
  const { build } = await import('vite');
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? code : undefined),
      },
    ],
    build: { write: false, target: 'es2022', minify: true, rolldownOptions: { input: ENTRY } },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  return output.output[0].code;
}

/** Bytes after gzip. */
export function gzippedSize(text: string): number {
  return gzipSync(text).length;
}
