import type { Plugin } from 'vite';
import { renderMarkdown } from './render-markdown.ts';

/** Files of the release, which no address serves. */
const FILE_LINK = /\[([^\]]+)\]\((?!#|https?:)([^)]+)\)/g;

/** Compiles a page of the runbook to its sections, by their headings, so that the console shows one without a parser. */
export const compileRunbook: Plugin = {
  name: 'compile-runbook',
  transform: {
    filter: { id: /\/docs\/runbook\/[\w-]+\.md$/ },
    handler(source) {
      const sections = source
        .replaceAll(FILE_LINK, '$1')
        // "Meaning", "Look" and "Mend" are lines there, and paragraphs here
        .replaceAll(/\n(?=\*\*)/g, '\n\n')
        .split(/^## /m)
        .slice(1)
        .map((section) => {
          const [heading = '', ...text] = section.split('\n');
          return [heading, renderMarkdown(heading, text.join('\n')).html];
        });
      return { code: `export default ${JSON.stringify(Object.fromEntries(sections))};`, moduleType: 'js' };
    },
  },
};
