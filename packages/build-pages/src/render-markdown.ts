import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import MarkdownIt, { type Token } from 'markdown-it';

/** One place that the search finds. */
export interface Section {
  /** Where it is, relative to the documentation. */
  href: string;
  /** Title of its page. */
  page: string;
  heading: string;
  text: string;
}

export interface RenderedPage {
  title: string;
  /** The first paragraph, as text. */
  description: string;
  html: string;
  /** Headings of the second level. */
  toc: { id: string; text: string }[];
  sections: Section[];
}

const LANGUAGES: Record<string, { definition: typeof bash; name: string }> = {
  sh: { definition: bash, name: 'Shell' },
  ts: { definition: typescript, name: 'TypeScript' },
  python: { definition: python, name: 'Python' },
  go: { definition: go, name: 'Go' },
  json: { definition: json, name: 'JSON' },
  http: { definition: http, name: 'HTTP' },
};
for (const [name, { definition }] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, definition);

export const escapeHtml = (text: string): string => MarkdownIt().utils.escapeHtml(text);

/**
 * Renders one page. Beside CommonMark and tables: `{#id}` at the end of a heading is its anchor; code blocks that follow each
 * other, each with `tab=Name` after its language, are tabs; links to `name.md` lead to that page.
 */
export function renderMarkdown(page: string, source: string): RenderedPage {
  const md = new MarkdownIt();
  const normalize = md.normalizeLink.bind(md);
  md.normalizeLink = (url) => (url.includes('{{') ? url : normalize(linkOf(url, page)));
  md.renderer.rules.fence = (tokens, index) => fenceHtml(tokens, index);
  md.renderer.rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table role="table">';
  md.renderer.rules.table_close = () => '</table></div>';
  md.renderer.rules.code_inline = (tokens, index) => codeHtml(tokens[index]?.content ?? '');
  md.renderer.rules.heading_close = (tokens, index) => headingEnd(page, tokens, index);
  const tokens = md.parse(source.replace(/^<!-- .* -->\n/gm, ''), {});
  nameHeadings(tokens);
  labelCells(tokens);
  const title = textOf(tokens[1]);
  return {
    title,
    description: textOf(tokens.slice(3).find(({ type }) => type === 'inline')),
    html: md.renderer.render(tokens, md.options, {}),
    toc: headings(tokens).filter(({ level }) => level === 2),
    sections: sectionsOf(page, title, tokens),
  };
}

/** `<base>` is the documentation, so that an anchor alone would leave the page. */
function linkOf(url: string, page: string): string {
  const [, file, anchor = ''] = /^(?:([\w-]+)\.md)?(#.*)?$/.exec(url) ?? [];
  if (file === undefined && anchor === '') return url;
  const name = file ?? page;
  return `${name === 'index' ? './' : name}${anchor}`;
}

/** Characters of code that fit on one line of a table. */
const SHORT_CODE = 40;

/** A long address may break after each of its parts. */
function codeHtml(code: string): string {
  if (code.length <= SHORT_CODE || code.includes('{{')) return `<code>${escapeHtml(code)}</code>`;
  return `<code class="long">${escapeHtml(code).replaceAll(/([/:-])(?=\w)/g, '$1<wbr>')}</code>`;
}

/** Roles of the elements of a table: some browsers drop the implicit ones where a table is laid out as cards. */
const TABLE_ROLES: Readonly<Record<string, string>> = {
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
};

/** Gives each cell of a table the name of its column, for narrow screens, and each element its role. */
function labelCells(tokens: Token[]): void {
  let names: string[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    const role = TABLE_ROLES[token.type];
    if (role !== undefined) token.attrSet('role', role);
    if (token.type === 'table_open') names = [];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open') names.push(textOf(tokens[index + 1]));
    else if (token.type === 'td_open') {
      token.attrSet('data-label', names[column] ?? '');
      column += 1;
    }
  });
}

/** Gives each heading its anchor. */
function nameHeadings(tokens: Token[]): void {
  tokens.forEach((token, index) => {
    const inline = tokens[index + 1];
    if (token.type !== 'heading_open' || inline === undefined) return;
    const last = inline.children?.at(-1);
    const given = / ?\{#([\w-]+)\}$/.exec(last?.content ?? '');
    if (given && last) last.content = last.content.slice(0, given.index);
    token.attrSet('id', given?.[1] ?? slug(textOf(inline)));
  });
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '');

function textOf(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

function headings(tokens: Token[]): { id: string; text: string; level: number }[] {
  return tokens.flatMap((token, index) =>
    token.type === 'heading_open'
      ? [{ id: String(token.attrGet('id') ?? ''), text: textOf(tokens[index + 1]), level: Number(token.tag.slice(1)) }]
      : [],
  );
}

function headingEnd(page: string, tokens: Token[], index: number): string {
  const { tag } = tokens[index] ?? { tag: 'h2' };
  if (tag === 'h1') return '</h1>\n';
  const id = tokens[index - 2]?.attrGet('id') ?? '';
  const label = escapeHtml(`Link to “${textOf(tokens[index - 1])}”`);
  return `<a class="anchor" href="${linkOf(`#${id}`, page)}" aria-label="${label}">#</a></${tag}>\n`;
}

/** Every heading with the text below it: what the search finds. Code is left out, but not the words in it that are codes. */
function sectionsOf(page: string, title: string, tokens: Token[]): Section[] {
  const sections: Section[] = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const id = token.tag === 'h1' ? '' : `#${token.attrGet('id')}`;
      sections.push({
        href: linkOf(`${page}.md${id}`, page),
        page: title,
        heading: textOf(tokens[index + 1]),
        text: '',
      });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section) section.text += `${textOf(token)} `;
    }
  });
  return sections;
}

interface Fence {
  language: string;
  tab: string | undefined;
}

function fenceOf({ info }: Token): Fence {
  const [language = 'text', ...words] = info.trim().split(/\s+/);
  return { language, tab: words.find((word) => word.startsWith('tab='))?.slice(4) };
}

const isTab = (token: Token | undefined): boolean => token?.type === 'fence' && fenceOf(token).tab !== undefined;

function fenceHtml(tokens: Token[], index: number): string {
  const token = tokens[index];
  if (token === undefined) return '';
  const { language, tab } = fenceOf(token);
  const label = escapeHtml(tab ?? LANGUAGES[language]?.name ?? 'Text');
  const code = `<pre tabindex="0" role="group" aria-label="${label} code"><code>${highlighted(token.content, language)}</code></pre>`;
  if (tab === undefined) return `<div class="code">${code}</div>\n`;
  const opens = isTab(tokens[index - 1]) ? '' : '<div class="tabs">\n';
  const closes = isTab(tokens[index + 1]) ? '' : '</div>\n';
  return `${opens}<div class="code" data-tab="${label}"><p class="tab-name">${label}</p>${code}</div>\n${closes}`;
}

/** The server fills in `{{name}}`, which is made one word here, so that no grammar splits it. The client ID is marked for the script. */
function highlighted(source: string, language: string): string {
  const whole = source.replace(/\{\{(\w+)\}\}/g, 'xFILLx$1xENDx');
  const html = LANGUAGES[language] ? hljs.highlight(whole, { language }).value : escapeHtml(whole);
  return html.replace(/xFILLx(\w+?)xENDx/g, (_, name: string) =>
    name === 'client_id' ? `<span class="fill" data-fill="${name}">{{${name}}}</span>` : `{{${name}}}`,
  );
}
