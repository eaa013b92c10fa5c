import { useParams } from 'wouter';
import { ClientStatusMark } from '../../kit/client/status.tsx';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { ModeMark } from '../../kit/parts/values.tsx';
import { MakeStarterKit } from '../../kit/sandbox/starter-kit.tsx';
import { ClientCalls } from '../client/calls.tsx';
import { ClientConfiguration } from '../client/configuration.tsx';
import { CLIENT } from '../client/document.ts';
import { ClientOverview } from '../client/overview.tsx';
import { ClientReviews } from '../client/reviews.tsx';

/** One client: overview, registration, how to call, and its reviews. `?tab=` names the part. */
export function ClientPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('client', CLIENT, { id });
  const { found: client, instead } = findIn(view, 'client', (data) => data.client);
  if (!client) return instead;
  const production = client.mode === 'PRODUCTION';
  return (
    <Page
      title={client.name}
      above={[{ title: 'Clients', href: '/clients' }]}
      marks={
        <>
          <ModeMark mode={client.mode} />
          <ClientStatusMark status={client.status} stopped={client.isStopped} inReview={client.openReview !== null} />
        </>
      }
      {...(!production && { actions: <MakeStarterKit clientId={client.id} /> })}
    >
      <FailureAlert failure={view.error} title="The client could not be refreshed" retry={view.refetch} />
      <PageTabs
        tabs={[
          { name: 'overview', title: 'Overview', content: <ClientOverview client={client} /> },
          { name: 'registration', title: 'Registration', content: <ClientConfiguration client={client} /> },
          { name: 'calls', title: 'How to call', content: <ClientCalls client={client} /> },
          ...(production ? [{ name: 'reviews', title: 'Reviews', content: <ClientReviews client={client} /> }] : []),
        ]}
      />
    </Page>
  );
}
