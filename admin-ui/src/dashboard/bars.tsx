interface BarsProps {
  /** For screen readers. */
  label: string;
  rows: readonly { name: string; count: number; aside?: string }[];
  color?: string;
}

/** Counts as horizontal bars; the longest takes the whole width. */
export function Bars({ label, rows, color }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="bars" aria-label={label}>
      {rows.map(({ name, count, aside }) => (
        <li key={name}>
          <span className="bar-label">
            <span>{name}</span>
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
