/** An index in SQL, where the builder lacks partial or expression indexes. @param definition what follows its name */
export function sqlIndex(name: string, definition: string): { name: string; expression: string } {
  return { name, expression: `create index ${name} ${definition}` };
}

/** As `sqlIndex`, unique. */
export function uniqueSqlIndex(name: string, definition: string): { name: string; expression: string } {
  return { name, expression: `create unique index ${name} ${definition}` };
}
