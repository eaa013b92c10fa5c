interface BarsProps {
  /** What is shown, for those who hear it. */
  label: string;
  rows: readonly { name: string; count: number; aside?: string }[];
  color?: string;
}

/** Counts beside each other as bars, the longest as wide as the room. */
export function Bars({ label, rows, color }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="bars" aria-label={label}>
      {rows.map(({ name, count, aside }) => (
        <li key={name}>
          <span className="bar-told">
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
