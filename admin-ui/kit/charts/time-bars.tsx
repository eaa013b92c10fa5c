import type { KeyboardEvent } from 'react';
import { Link } from 'wouter';
import type { SeriesData, SeriesLook } from './looks.ts';

interface TimeBarsProps {
  title: string;
  /** Of the buckets. */
  names: readonly string[];
  series: readonly (SeriesData & SeriesLook)[];
  /** Whether the bars of a bucket are on top of each other; if not, they are side by side. */
  stacked: boolean;
  /** The list of the requests behind one bar. */
  hrefOf: (series: SeriesLook, bucket: number) => string;
}

const MOST_STEPS = 4;
/** Names below the bars; more do not fit on a phone. */
const MOST_NAMES = 6;

/** Counts over time as bars, each a link to the requests behind it. */
export function TimeBars({ title, names, series, stacked, hrefOf }: TimeBarsProps) {
  const counts = names.map((_, bucket) => series.map(({ values }) => values[bucket] ?? 0));
  const ticks = ticksFor(
    Math.max(...counts.map((of) => (stacked ? of.reduce((sum, count) => sum + count, 0) : Math.max(...of)))),
  );
  const share = (count: number) => `${(count / (ticks.at(-1) ?? 1)) * 100}%`;
  const first = counts.findIndex((of) => of.some((count) => count > 0));
  return (
    <div className="time-plot">
      {ticks.map((tick) => (
        <span key={tick} className="time-tick" style={{ bottom: share(tick) }} aria-hidden>
          {tick.toLocaleString('en')}
        </span>
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would hold fields */}
      <div className="time-columns" role="group" aria-label={`${title}: bars`} onKeyDown={moveFocus}>
        {counts.map((of, bucket) => (
          <div key={names[bucket]} className={stacked ? 'time-column stacked' : 'time-column'}>
            {series.map(({ name, label, color, behind }, at) => {
              const count = of[at] ?? 0;
              if (count === 0) return null;
              const words = `${names[bucket]}, ${label}: ${count.toLocaleString('en')}`;
              const isFirst = bucket === first && of.findIndex((each) => each > 0) === at;
              return (
                <Link
                  key={name}
                  href={hrefOf({ label, color, behind }, bucket)}
                  className="bar-link"
                  style={{ height: share(count), background: color }}
                  aria-label={words}
                  title={words}
                  tabIndex={isFirst ? 0 : -1}
                />
              );
            })}
            {bucket % Math.ceil(names.length / MOST_NAMES) === 0 && (
              <span className="time-name" aria-hidden>
                {names[bucket]}
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** From 0 to a count or more, in steps of 1, 2 or 5 times a power of ten. */
function ticksFor(most: number): number[] {
  const least = Math.max(1, most / MOST_STEPS);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** One bar of a chart is in the tab order; the arrow keys lead to the others. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.bar-link')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  for (const link of links) link.tabIndex = link === next ? 0 : -1;
  next.focus();
}
