/** An entry of a list, and whether it is new or gone. */
export interface MarkedEntry {
  value: string;
  mark: 'added' | 'removed' | 'same';
}

/** The entries of a list as it is to be, then those that go. @param before as it is; undefined where there is nothing to compare with */
export function markChanges(before: readonly string[] | undefined, after: readonly string[]): MarkedEntry[] {
  const gone = before?.filter((value) => !after.includes(value)) ?? [];
  return [
    ...after.map((value) => ({ value, mark: before && !before.includes(value) ? 'added' : 'same' }) as const),
    ...gone.map((value) => ({ value, mark: 'removed' }) as const),
  ];
}

export function isMarked(mark: MarkedEntry['mark']): mark is 'added' | 'removed' {
  return mark !== 'same';
}
