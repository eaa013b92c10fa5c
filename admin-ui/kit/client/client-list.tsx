import { Squares2X2Icon } from '@heroicons/react/24/outline';
import type { ReactNode } from 'react';
import { ListPage } from '../parts/list.tsx';
import { ModeMark } from '../parts/page.tsx';
import type { List } from '../parts/use-list.tsx';
import { IdChip, Moment } from '../parts/values.tsx';
import { ClientStatusMark } from './status.tsx';

interface ClientRow {
  id: string;
  name: string;
  mode: 'SANDBOX' | 'PRODUCTION';
  status: Parameters<typeof ClientStatusMark>[0]['status'];
  grantCount: number;
  updatedAt: string;
  openReview: { id: string } | null;
}

interface ClientListProps<Row> {
  description: string;
  /** Registers one. */
  add: ReactNode;
  list: List<Row>;
  /** Whether staff have stopped it. */
  isStopped: (client: Row) => boolean;
  /** For viewers of several partners: the name of the partner. */
  partnerOf?: (client: Row) => string;
}

/** OAuth clients that the viewer may see. */
export function ClientList<Row extends ClientRow>({ isStopped, partnerOf, ...page }: ClientListProps<Row>) {
  return (
    <ListPage
      title="Clients"
      {...page}
      href={({ id }) => `/clients/${id}`}
      columns={{
        Name: ({ name }) => name,
        Mode: ({ mode }) => <ModeMark mode={mode} />,
        Status: (client) => (
          <ClientStatusMark status={client.status} stopped={isStopped(client)} inReview={client.openReview !== null} />
        ),
        ...(partnerOf && { Partner: partnerOf }),
        client_id: ({ id }) => <IdChip id={id} />,
        'Active grants': ({ grantCount }) => grantCount.toLocaleString('en'),
        'Last changed': ({ updatedAt }) => <Moment at={updatedAt} />,
      }}
      numeric={['Active grants']}
      emptyIcon={<Squares2X2Icon />}
      emptyTitle="No clients yet"
      emptyText="Start with a sandbox client: it can sign test users in as soon as it is registered."
    />
  );
}
