import type { Config } from '../../src/platform/config/config.ts';

/** Where pages and answers may lead to the documentation; undefined where no process serves it. */
export function servedDocsUrl({
  knownSurfaces,
  docsUrl,
}: Pick<Config, 'knownSurfaces' | 'docsUrl'>): string | undefined {
  return knownSurfaces.has('docs') ? docsUrl : undefined;
}
