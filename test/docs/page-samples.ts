import { readFileSync } from 'node:fs';

const PAGES = new URL('../../adapters/docs/pages/', import.meta.url);

/** A code block of the documentation. */
export interface Sample {
  page: string;
  language: string;
  code: string;
  /** `now`: a part of the language's program; `last`: at its end. */
  run: 'now' | 'last' | undefined;
  /** The file of a partner that the block is a part of. */
  file: string | undefined;
}

export function readPage(name: string): string {
  return readFileSync(new URL(`${name}.md`, PAGES), 'utf8');
}

/** Every code block that has a program in it, in the order of the pages. */
export function readSamples(): Sample[] {
  const groups = JSON.parse(readFileSync(new URL('nav.json', PAGES), 'utf8')) as { pages: string[] }[];
  return groups
    .flatMap(({ pages }) => pages)
    .flatMap((page) =>
      [...readPage(page).matchAll(/^```(sh|ts|python)( [^\n]*)?\n(.*?)^```$/gms)].map(
        ([, language = '', info = '', code = '']): Sample => ({
          page,
          language,
          code,
          run: /\brun=last\b/.test(info) ? 'last' : /\brun\b/.test(info) ? 'now' : undefined,
          file: /\bfile=(\S+)/.exec(info)?.[1],
        }),
      ),
    );
}

/** The samples of a language as the one program that a reader gets who copies all of them. */
export function programIn(language: string, values: Readonly<Record<string, string>>): string {
  const samples = readSamples().filter((sample) => sample.language === language && sample.run !== undefined);
  const ordered = [...samples.filter(({ run }) => run === 'now'), ...samples.filter(({ run }) => run === 'last')];
  return ordered
    .map(({ code }) => code)
    .join('\n')
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`a sample asks for ${name}`);
      return value;
    });
}
