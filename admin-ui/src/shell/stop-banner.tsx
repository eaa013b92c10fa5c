import { Link } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { countryName } from '../parts/country-name.ts';

const STOPPED = graphql(`
  query Stopped {
    killSwitches(first: 5) {
      totalCount
      nodes { id kind reason country client { id name } fan { id } }
    }
  }
`);

type Stop = { kind: string; country: string | null; client: { name: string } | null };

/** While something is stopped by hand, everybody sees it on every view: it explains most of what looks broken. */
export function StopBanner() {
  const { data } = useView('stopped', STOPPED, {}, { refetchInterval: 30_000 });
  const [first, ...others] = data?.killSwitches.nodes ?? [];
  if (data === undefined || first === undefined) return null;
  const more = data.killSwitches.totalCount - 1;
  return (
    <div className="stop-banner" role="status">
      <strong>Stopped: {[first, ...others].map(nameOf).join(', ')}</strong>
      {more > others.length && ` and ${more - others.length} more`}. {first.reason}{' '}
      <Link href="/kill-switches">Kill switches</Link>
    </div>
  );
}

function nameOf({ kind, country, client }: Stop): string {
  switch (kind) {
    case 'CO_SIGNING':
      return 'all co-signing';
    case 'SMS_COUNTRY':
      return `codes by SMS to ${countryName(country ?? '') ?? country}`;
    case 'CLIENT':
      return `client ${client?.name}`;
    default:
      return 'a fan';
  }
}
