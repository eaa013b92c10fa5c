import { ClientList } from '../../kit/client/client-list.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { PAGE } from '../../kit/data/view.ts';
import { LinkButton } from '../../kit/parts/page.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { MODE_OPTIONS } from '../../kit/parts/values.tsx';

const CLIENTS = graphql(`
  query Clients($mode: Mode, ${PAGE.variables}) {
    clients(mode: $mode, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id name mode status isStopped grantCount updatedAt openReview { id } }
    }
  }
`);

/** The partner's OAuth clients. */
export function ClientsPage() {
  const list = useList({ document: CLIENTS, filters: { mode: selectFilter('Mode', MODE_OPTIONS) } });
  return (
    <ClientList
      description="Each client is your app’s registration for one mode. A sandbox client works immediately; a production client is reviewed first."
      add={
        <LinkButton href="/clients/new" variant="filled">
          Register client
        </LinkButton>
      }
      list={list}
      isStopped={({ isStopped }) => isStopped}
    />
  );
}
