import { Checkbox } from '@mantine/core';

/** Which rows of a list are chosen. */
export interface Choice<Row> {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** The label of a row's box: "Choose Opening Night". */
  nameOf: (row: Row) => string;
  /** Whether the row has a box. */
  isOpen: (row: Row) => boolean;
}

interface ChooseRowProps<Row> {
  choice: Choice<Row>;
  row: Row;
}

/** The box of a row. */
export function ChooseRow<Row extends { id: string }>({ choice, row }: ChooseRowProps<Row>) {
  const { chosen, onChange, nameOf } = choice;
  return (
    <Checkbox
      size="xs"
      aria-label={nameOf(row)}
      checked={chosen.has(row.id)}
      onChange={(event) => {
        const others = [...chosen].filter((id) => id !== row.id);
        onChange(new Set(event.currentTarget.checked ? [...others, row.id] : others));
      }}
    />
  );
}

interface ChooseAllProps<Row> {
  choice: Choice<Row>;
  rows: readonly Row[];
}

/** The box above them. */
export function ChooseAll<Row extends { id: string }>({ choice, rows }: ChooseAllProps<Row>) {
  const { chosen, onChange, isOpen } = choice;
  const open = rows.filter(isOpen).map(({ id }) => id);
  const all = open.length > 0 && open.every((id) => chosen.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label="Select all on this page"
      disabled={open.length === 0}
      checked={all}
      indeterminate={!all && open.some((id) => chosen.has(id))}
      onChange={() => onChange(new Set(all ? [] : open))}
    />
  );
}
