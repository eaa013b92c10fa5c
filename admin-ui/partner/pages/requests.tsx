import { TextLink } from '../../kit/parts/page.tsx';
import { RequestsPage as Requests } from '../../kit/requests/requests-page.tsx';
import { clientFilter } from '../client/own-clients.tsx';

/** The requests of the partner's own clients. */
export function RequestsPage() {
  return (
    <Requests
      description="The calls of your clients, usually of the last 30 days, without bodies and secrets. New calls appear after about a second. Times are in UTC."
      emptyText={
        <>
          Calls that your apps make with one of your clients appear here, and the steps of fans who sign in to them. See{' '}
          <TextLink href="/connect">how to call</TextLink>.
        </>
      }
      clientFilter={clientFilter}
      clientCell={({ name }) => name}
    />
  );
}
