/** An order by its name at the service, one way or the other. */
export type Directed<Sort extends string> = Sort | `${Sort}_DESC`;

/** How the rows of a list are ordered, and how else they can be. */
export interface Sorting {
  /** The orders' names by the header of the column. */
  sorts: Readonly<Record<string, string>>;
  current: string;
  /** The order where nobody chose one; not always that of a column. */
  usual: string;
  choose(next: string): void;
}

/** The order that the address names; undefined where it names none of this list. */
export function sortIn<Sort extends string>(
  text: string | null,
  sorts: Readonly<Record<string, Sort>> = {},
): Directed<Sort> | undefined {
  const named = text?.toUpperCase();
  return Object.values(sorts)
    .flatMap((sort): Directed<Sort>[] => [sort, `${sort}_DESC`])
    .find((sort) => sort === named);
}

/** The order that a click on a column's header chooses: a new column's useful end first, then the other way round. */
export function nextSort(sort: string, current: string): string {
  if (current === `${sort}_DESC`) return sort;
  if (current === sort) return `${sort}_DESC`;
  return isOfTime(sort) ? `${sort}_DESC` : sort;
}

/** As `aria-sort` has it; undefined for a column that does not order the rows now. */
export function directionOf(sort: string | undefined, current: string): 'ascending' | 'descending' | undefined {
  if (sort === undefined) return undefined;
  if (current === sort) return 'ascending';
  return current === `${sort}_DESC` ? 'descending' : undefined;
}

/** Each order in words, for a screen without column headers: the usual one too, which is shown where nobody chose. */
export function sortOptions({ sorts, usual }: Pick<Sorting, 'sorts' | 'usual'>): { value: string; label: string }[] {
  const options = Object.entries(sorts).flatMap(([header, sort]) => {
    const [up, down] = endsOf(sort);
    const both = [
      { value: sort, label: `${header}, ${up}` },
      { value: `${sort}_DESC`, label: `${header}, ${down}` },
    ];
    return isOfTime(sort) ? both.reverse() : both;
  });
  if (options.some(({ value }) => value === usual)) return options;
  return [{ value: usual, label: usual.endsWith('_DESC') ? 'Newest first' : 'Oldest first' }, ...options];
}

const ENDS: Readonly<Record<string, [up: string, down: string]>> = {
  NAME: ['A to Z', 'Z to A'],
  STATUS: ['first steps first', 'last steps first'],
  ROLE: ['fewest rights first', 'most rights first'],
};

function endsOf(sort: string): [up: string, down: string] {
  if (isOfTime(sort)) return ['oldest first', 'newest first'];
  return ENDS[sort] ?? ['ascending', 'descending'];
}

function isOfTime(sort: string): boolean {
  return /^(CREATED|UPDATED|STARTS|LAST_\w+)$/.test(sort);
}
