/**
 * The roles of a table that is shown as cards on a narrow screen, one for each element. Some browsers take them from the way in which an
 * element is laid out, and such cards would be no table to a screen reader.
 * @see WCAG 2.2 §1.3.1
 */
export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const COLUMN_HEADER = { role: 'columnheader' } as const;
export const ROW_HEADER = { role: 'rowheader' } as const;
export const CELL = { role: 'cell' } as const;
