/**
 * Renders the documentation: each Markdown source into a page with the frame that Vite built, and into Markdown for programs;
 * with them the files of the samples, the search index, `llms.txt` and the renderer of the API reference. `{{name}}` stays for the server to fill in.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch, { type Options } from 'minisearch';
import { escapeHtml, type RenderedPage, renderMarkdown, type Section } from './render-markdown.ts';

export interface BuiltFile {
  path: string;
  content: string | Uint8Array;
  /** A script that the page loads before it shows anything, and not later when a view asks for it. */
  first?: boolean;
}

interface NavGroup {
  title: string;
  pages: string[];
}

interface Page extends RenderedPage {
  name: string;
  source: string;
}

/** @param built the frame (`index.html`) and its assets @param ui folder of the frame's source; the pages are beside it */
export function renderDocs(built: BuiltFile[], ui: string): BuiltFile[] {
  const frame = String(built.find(({ path }) => path === 'index.html')?.content);
  const sources = join(ui, '../pages');
  const groups = JSON.parse(readFileSync(join(sources, 'nav.json'), 'utf8')) as NavGroup[];
  const pages = groups.flatMap(({ pages: names }) => names).map((name) => readPage(sources, name));
  const unknown = readPage(sources, 'not-found');
  const searched = searchIndex(pages.flatMap(({ sections }) => sections));
  const search = `assets/search-${hashOf(searched)}.json`;
  const reference = `scalar/${scalar().version}`;
  return [
    ...built.filter(({ path }) => path !== 'index.html'),
    ...pages.map((page, position) => {
      const [before, after] = [pages[position - 1], pages[position + 1]];
      const parts = { ...partsOf(page, pages, groups), search, reference, turn: turnHtml(before, after) };
      return { path: `${page.name}.html`, content: fill(frame, parts) };
    }),
    {
      path: `${unknown.name}.html`,
      content: fill(frame, { ...partsOf(unknown, pages, groups), search, reference, turn: '' }),
    },
    ...[...pages, unknown].map(({ name, source }) => ({ path: `${name}.md`, content: forPrograms(source) })),
    ...sampleFiles(pages.map(({ source }) => source).join('\n')),
    { path: 'llms.txt', content: llms(pages, groups) },
    { path: search, content: searched },
    packedSdk(),
    ...scalar().files.map(({ path, content }) => ({ path: `${reference}/${path}`, content })),
  ];
}

function readPage(folder: string, name: string): Page {
  const source = readFileSync(join(folder, `${name}.md`), 'utf8');
  return { name, source, ...renderMarkdown(name, source) };
}

function partsOf(page: Page, pages: Page[], groups: NavGroup[]): Record<string, string> {
  const { name, title, html, toc, description } = page;
  return {
    name,
    here: addressOf(name),
    title: escapeHtml(title),
    description: escapeHtml(description),
    nav: groups.map((group) => groupHtml(group, pages, name)).join('\n'),
    content: html,
    toc: toc.length < 2 ? '' : tocHtml(name, toc),
  };
}

function groupHtml({ title, pages: names }: NavGroup, pages: Page[], current: string): string {
  const items = names.map((name) => {
    const here = name === current ? ' aria-current="page"' : '';
    return `<li><a href="${addressOf(name)}"${here}>${escapeHtml(pages.find((page) => page.name === name)?.title ?? name)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`;
}

function tocHtml(name: string, toc: RenderedPage['toc']): string {
  const items = toc.map(({ id, text }) => `<li><a href="${addressOf(name)}#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="toc links" aria-labelledby="toc-title"><h2 id="toc-title">On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function turnHtml(before: Page | undefined, after: Page | undefined): string {
  const link = (page: Page | undefined, rel: string, label: string) =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${addressOf(page.name)}"><small>${label}</small> ${escapeHtml(page.title)}</a>`;
  return `${link(before, 'prev', 'Previous')}${link(after, 'next', 'Next')}`;
}

/** Relative to the `<base>` of the documentation. */
const addressOf = (name: string): string => (name === 'index' ? './' : name);

function fill(frame: string, parts: Record<string, string>): string {
  return frame.replace(/\[\[(\w+)\]\]/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`the frame of the documentation asks for ${name}`);
    return part;
  });
}

/** The source with absolute links, without what only the build reads. */
function forPrograms(source: string): string {
  return source
    .replace(/^(```\w+) .*$/gm, '$1')
    .replace(/ \{#[\w-]+\}$/gm, '')
    .replace(/^<!-- .* -->\n/gm, '')
    .replace(/\]\(([\w-]+\.md)(#[\w-]+)?\)/g, (_, file: string, anchor = '') => `]({{docs_url}}/${file}${anchor})`);
}

/** The files that the pages show in pieces (`file=NAME` after the language), each as a whole. */
function sampleFiles(source: string): BuiltFile[] {
  const files = new Map<string, string[]>();
  for (const [, name = '', code = ''] of source.matchAll(/^```\w+ [^\n]*?\bfile=([\w.-]+)\n(.*?)^```$/gms)) {
    files.set(name, [...(files.get(name) ?? []), code]);
  }
  return [...files].map(([name, pieces]) => ({
    path: `samples/${name}`,
    // Python has two empty lines between definitions
    content: pieces.join(name.endsWith('.py') ? '\n\n' : '\n'),
  }));
}

/** @see https://llmstxt.org */
function llms(pages: Page[], groups: NavGroup[]): string {
  const [first] = pages;
  const lines = groups.flatMap(({ title, pages: names }) => [
    '',
    `## ${title}`,
    '',
    ...names.map((name) => {
      const page = pages.find((each) => each.name === name);
      return `- [${page?.title}]({{docs_url}}/${name}.md): ${page?.description}`;
    }),
  ]);
  const documents = [
    '- [OpenAPI 3.1 description]({{api_url}}/openapi.json): every operation, field and answer',
    '- [Discovery document]({{auth_url}}/.well-known/openid-configuration): endpoints of the authorization server',
    '- [Anchor IDL]({{origin}}/idl.json): the ticket program on Solana',
    '- [Clusters]({{origin}}/clusters.json): the Solana cluster and the program of each mode',
  ];
  return ['# Fan API', '', `> ${first?.description}`, ...lines, '', '## For programs', '', ...documents, ''].join('\n');
}

/** The file also has the options of the index: the page that reads the index needs the same ones. */
function searchIndex(sections: Section[]): string {
  const options = {
    fields: ['heading', 'page', 'text'],
    storeFields: ['href', 'page', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  } satisfies Options;
  const index = new MiniSearch(options);
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return JSON.stringify({ options, index });
}

const SDK = fileURLToPath(new URL('../../sdk/', import.meta.url));

/** The SDK as npm installs it from an address: it is in no registry. */
function packedSdk(): BuiltFile {
  const folder = mkdtempSync(join(tmpdir(), 'fan-api-sdk-'));
  try {
    execFileSync(process.execPath, ['build/build-sdk.ts', folder], { cwd: SDK });
    const packed = execFileSync('npm', ['pack', folder, '--json', '--pack-destination', folder], { encoding: 'utf8' });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    return { path: `sdk/${filename}`, content: readFileSync(join(folder, filename)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

let found: { version: string; files: { path: string; content: Uint8Array }[] } | undefined;

/** Scalar as it is published for browsers: bundling it again would take many seconds. */
function scalar(): NonNullable<typeof found> {
  if (found !== undefined) return found;
  const entry = fileURLToPath(import.meta.resolve('@scalar/api-reference'));
  const folder = join(dirname(entry), 'browser');
  const manifest = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')) as { version: string };
  const chunks = readdirSync(join(folder, 'chunks')).filter((name) => name.endsWith('.js'));
  const paths = ['standalone.esm.js', ...chunks.map((name) => `chunks/${name}`)];
  found = {
    version: manifest.version,
    files: paths.map((path) => ({ path, content: readFileSync(join(folder, path)) })),
  };
  return found;
}
