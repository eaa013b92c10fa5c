import { readdirSync, readFileSync } from 'node:fs';
import { byLanguage } from '../languages.ts';

const CATALOGUE = /^\w{2,3}\.json$/;

/** The catalogues of a folder, by language, for pages that the server writes. @param folder ends with a slash */
export function readCatalogues<Texts>(folder: URL): Readonly<Record<string, Texts>> {
  const names = readdirSync(folder).filter((name) => CATALOGUE.test(name));
  return byLanguage(
    Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Texts])),
  );
}

/** Languages of the hosted pages (BCP 47). */
export function hostedLanguages(): string[] {
  return Object.keys(readCatalogues(new URL('./', import.meta.url)));
}
