/** The operator as the server wrote it into the page (`adapters/fan-pages/operator/load-operator.ts`). Everything may be missing. */
export interface PageOperator {
  name?: string;
  logo?: string;
  privacy?: string;
  terms?: string;
  help?: string;
}

let known: PageOperator | undefined;

export function pageOperator(): PageOperator {
  known ??= JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=operator]')?.content ?? '{}') as PageOperator;
  return known;
}
