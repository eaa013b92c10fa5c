import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

interface BarsProps {
  /** For screen readers. */
  label: string;
  rows: readonly { name: string; count: number; aside?: string; href?: string }[];
  color?: string;
}

/** Counts as horizontal bars; the longest takes the whole width. A name leads to the requests that are counted. */
export function Bars({ label, rows, color }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="bars" aria-label={label}>
      {rows.map(({ name, count, aside, href }) => (
        <li key={name}>
          <span className="bar-label">
            {href !== undefined && count > 0 ? (
              <Anchor component={Link} href={href} inherit className="bar-name">
                {name}
              </Anchor>
            ) : (
              <span>{name}</span>
            )}
            <span>
              {aside !== undefined && <span className="aside">{aside} </span>}
              <strong>{count.toLocaleString('en')}</strong>
            </span>
          </span>
          <span className="bar" aria-hidden>
            <span style={{ width: `${(count / most) * 100}%`, ...(color && { background: color }) }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
