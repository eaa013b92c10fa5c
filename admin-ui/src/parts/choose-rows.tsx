import { Checkbox } from '@mantine/core';

/** Which rows are chosen. */
export interface Choice<Row> {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** What the box of a row is called: "Choose Opening Night". */
  nameOf: (row: Row) => string;
  /** Rows that nothing can be done with have no box. */
  isOpen: (row: Row) => boolean;
}

/** The box of a row. */
export function Choose<Row>({
  choice: { chosen, onChange, nameOf },
  row,
  id,
}: {
  choice: Choice<Row>;
  row: Row;
  id: string;
}) {
  return (
    <Checkbox
      size="xs"
      aria-label={nameOf(row)}
      checked={chosen.has(id)}
      onChange={(event) => {
        const next = new Set(chosen);
        if (event.currentTarget.checked) next.add(id);
        else next.delete(id);
        onChange(next);
      }}
    />
  );
}

interface ChooseAllProps<Row> {
  choice: Choice<Row>;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/** The box above them. */
export function ChooseAll<Row>({ choice: { chosen, onChange, isOpen }, rows, rowKey }: ChooseAllProps<Row>) {
  const open = rows.filter(isOpen).map(rowKey);
  const all = open.length > 0 && open.every((id) => chosen.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label="Choose all that are shown"
      disabled={open.length === 0}
      checked={all}
      indeterminate={!all && open.some((id) => chosen.has(id))}
      onChange={() => onChange(new Set(all ? [] : open))}
    />
  );
}
