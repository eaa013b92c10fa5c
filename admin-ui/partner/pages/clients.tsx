import { IconPlug } from '@tabler/icons-react';
import { ClientStatusMark } from '../../kit/client/status.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { LinkButton, ModeMark } from '../../kit/parts/page.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, MODE_OPTIONS, Moment } from '../../kit/parts/values.tsx';

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
    <ListPage
      title="Clients"
      description="Each client is your app’s registration for one mode. A sandbox client works immediately; a production client is reviewed first."
      add={
        <LinkButton href="/clients/new" variant="filled">
          Register client
        </LinkButton>
      }
      list={list}
      href={({ id }) => `/clients/${id}`}
      columns={{
        Name: ({ name }) => name,
        Mode: ({ mode }) => <ModeMark mode={mode} />,
        Status: ({ status, isStopped, openReview }) => (
          <ClientStatusMark status={status} stopped={isStopped} inReview={openReview !== null} />
        ),
        client_id: ({ id }) => <IdChip id={id} />,
        'Active grants': ({ grantCount }) => grantCount.toLocaleString('en'),
        'Last changed': ({ updatedAt }) => <Moment at={updatedAt} />,
      }}
      numeric={['Active grants']}
      emptyIcon={<IconPlug />}
      emptyTitle="No clients yet"
      emptyText="Start with a sandbox client: it can sign test users in as soon as it is registered."
    />
  );
}
