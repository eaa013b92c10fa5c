import { Switch } from '@mantine/core';
import { ViewLink } from '../../kit/parts/page.tsx';
import type { Filter } from '../../kit/parts/use-list.tsx';
import { RequestsPage as Requests } from '../../kit/requests/requests-page.tsx';
import { CLIENT_FILTER } from '../choosing/find-select.tsx';

/** The calls of this console, and the files of all pages, would bury the others. */
const withConsole: Filter = ({ value, onChange }) => (
  <Switch
    label="Console and page files"
    checked={value !== ''}
    onChange={(event) => onChange(event.currentTarget.checked ? '1' : '')}
  />
);

/** The requests of all clients but the console. */
export function RequestsPage() {
  return (
    <Requests
      description="The calls of the last 30 days (REQUEST_LOG_DAYS), with the answer that a refused caller got; the console’s own where you switch them on. New calls appear after about a second. Times are in UTC."
      emptyText="Calls from apps and sign-in pages appear here after about a second."
      clientFilter={CLIENT_FILTER}
      clientCell={({ id, name }) => <ViewLink href={`/clients/${id}`}>{name}</ViewLink>}
      noise={{ name: 'console', filter: withConsole, leftOut: 'not_console' }}
    />
  );
}
