import { readFileSync } from 'node:fs';

const PAGES = new URL('../../adapters/public/docs/pages/', import.meta.url);

/** A code block of the documentation. */
export interface Sample {
  page: string;
  language: string;
  code: string;
  /** `now`: a part of the language's program; `last`: at its end; `packages`: a part where what it imports is installed. */
  run: 'now' | 'last' | 'packages' | undefined;
  /** The file of a partner that the block is a part of. */
  file: string | undefined;
}

export function readPage(name: string): string {
  return readFileSync(new URL(`${name}.md`, PAGES), 'utf8');
}

/** Every page, in the order of the navigation. */
export function pageNames(): string[] {
  const groups = JSON.parse(readFileSync(new URL('nav.json', PAGES), 'utf8')) as { pages: string[] }[];
  return groups.flatMap(({ pages }) => pages);
}

/** Every code block that has a program in it, in the order of the pages. */
export function readSamples(): Sample[] {
  return pageNames().flatMap((page) =>
    [...readPage(page).matchAll(/^```(sh|ts|python|go)( [^\n]*)?\n(.*?)^```$/gms)].map(
      ([, language = '', info = '', code = '']): Sample => ({
        page,
        language,
        code,
        run: RUNS[/\brun(=\w+)?/.exec(info)?.[0] ?? ''],
        file: /\bfile=(\S+)/.exec(info)?.[1],
      }),
    ),
  );
}

const RUNS: Readonly<Record<string, Sample['run']>> = { run: 'now', 'run=last': 'last', 'run=packages': 'packages' };

/** A file of a partner as its pieces on the pages give it. */
export function fileOf(name: string): string {
  const pieces = readSamples().filter(({ file }) => file === name);
  // Python has two empty lines between definitions
  return pieces.map(({ code }) => code).join(name.endsWith('.py') ? '\n\n' : '\n');
}

/**
 * The samples of a language as the one program that a reader gets who copies all of them.
 * @param hasPackages false: without those that need a package which only the slow tests install
 */
export function programIn(language: string, values: Readonly<Record<string, string>>, hasPackages = false): string {
  const samples = readSamples().filter((sample) => sample.language === language && sample.run !== undefined);
  const inOrder = samples.filter(({ run }) => run === 'now' || (run === 'packages' && hasPackages));
  const ordered = [...inOrder, ...samples.filter(({ run }) => run === 'last')];
  return fillIn(ordered.map(({ code }) => code).join('\n'), values);
}

/** As the server fills the pages in. */
export function fillIn(code: string, values: Readonly<Record<string, string>>): string {
  return code.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`a sample asks for ${name}`);
    return value;
  });
}
