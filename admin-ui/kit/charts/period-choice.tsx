import { SegmentedControl } from '@mantine/core';
import { PERIODS, type Period } from './looks.ts';

/** The period that the address names; the last day by default. */
export function periodIn(text: string | null) {
  return PERIODS.find(({ value }) => value === text) ?? PERIODS[1];
}

/** Chooses the period of charts. */
export function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: string) => void }) {
  return (
    <SegmentedControl
      aria-label="Period"
      data={PERIODS.map(({ value: period, label }) => ({ value: period, label }))}
      value={value}
      onChange={onChange}
    />
  );
}
