import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SOURCE = join(import.meta.dirname, '../../packages/sdk/src');
const ENTRY = 'virtual:sdk';

/** A page's script that has the SDK's browser part on `window.sdk`, as a partner's bundler makes it: minified. */
export async function bundleSdk(): Promise<string> {
  const { build } = await import('vite');
  const entries = ['index.ts', 'browser.ts'].map((file) => join(SOURCE, file));
  const imports = await Promise.all(
    entries.map(async (file) => `import { ${Object.keys(await import(file)).join(', ')} } from ${JSON.stringify(file)};`),
  );
  const names = await Promise.all(entries.map(async (file) => Object.keys(await import(file))));
  const code = `${imports.join('\n')}\nglobalThis.sdk = { ${names.flat().join(', ')} };`;
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
