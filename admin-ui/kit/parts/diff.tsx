import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Difference } from '../client/registration.ts';
import { CELL, COLUMN_HEADER, ROW, ROW_GROUP, ROW_HEADER, TABLE } from './rows.tsx';

interface DiffProps {
  differences: readonly Difference[];
  /** What the two states are: "Approved on 3 May", "Now". */
  beforeTitle: string;
  afterTitle: string;
  caption: string;
}

/** Two states side by side; additions and removals are marked by sign, word and colour. */
export function Diff({ differences, beforeTitle, afterTitle, caption }: DiffProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
    <section className="scroll-area" aria-label={`${caption}, side by side`} tabIndex={0}>
      <table {...TABLE} className="diff">
        <caption className="visually-hidden">{caption}</caption>
        <thead {...ROW_GROUP}>
          <tr {...ROW}>
            <th {...COLUMN_HEADER} scope="col" className="diff-field">
              What
            </th>
            <th {...COLUMN_HEADER} scope="col">
              {beforeTitle}
            </th>
            <th {...COLUMN_HEADER} scope="col">
              {afterTitle}
            </th>
          </tr>
        </thead>
        <tbody {...ROW_GROUP}>
          {differences.map(({ label, before, after }) => (
            <tr {...ROW} key={label}>
              <th {...ROW_HEADER} scope="row">
                {label}
              </th>
              <td {...CELL} data-label={beforeTitle}>
                <Values of={before} other={after} mark="removed" />
              </td>
              <td {...CELL} data-label={afterTitle}>
                <Values of={after} other={before} mark="added" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A value or the entries of a list; entries missing on the other side are marked. */
function Values({ of, other, mark }: { of: Difference['before']; other: Difference['before']; mark: Mark }) {
  const values = listOf(of);
  const otherValues = new Set(listOf(other));
  if (values.length === 0) {
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    );
  }
  return (
    <ul className="diff-values">
      {values.map((value) => (
        <li key={value}>{otherValues.has(value) ? value : <Marked mark={mark}>{value}</Marked>}</li>
      ))}
    </ul>
  );
}

type Mark = 'added' | 'removed';

/** A value that was added or removed. */
export function Marked({ mark, children }: { mark: Mark; children: ReactNode }) {
  const Element = mark === 'added' ? 'ins' : 'del';
  return (
    <Element className={`diff-${mark}`}>
      <span aria-hidden>{mark === 'added' ? '+ ' : '− '}</span>
      <span className="visually-hidden">{mark}: </span>
      {children}
    </Element>
  );
}

function listOf(value: Difference['before']): readonly string[] {
  if (typeof value !== 'string') return value;
  return value === '' ? [] : [value];
}
