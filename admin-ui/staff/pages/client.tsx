import { useParams } from 'wouter';
import { ClientStatusMark } from '../../kit/client/status.tsx';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { PageTabs } from '../../kit/parts/page-tabs.tsx';
import { ModeMark } from '../../kit/parts/values.tsx';
import { MakeStarterKit } from '../../kit/sandbox/starter-kit.tsx';
import { ClientConfiguration } from '../client/configuration.tsx';
import { CLIENT, openReviewOf } from '../client/document.ts';
import { ClientEvents } from '../client/events-tab.tsx';
import { ClientHistory } from '../client/history.tsx';
import { ClientOverview } from '../client/overview.tsx';
import { ClientReviewTab } from '../client/review-tab.tsx';
import { LifecycleActions } from '../client/take-step.tsx';

/** One client: overview, configuration, reviews and history. `?tab=` names the part. */
export function ClientPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('client', CLIENT, { id });
  const { found: client, instead } = findIn(view, 'client', (data) => data.client);
  if (!client) return instead;
  const production = client.mode === 'PRODUCTION';
  return (
    <Page
      title={client.name}
      above={[
        { title: 'Clients', href: '/clients' },
        { title: client.partner.name, href: `/partners/${client.partner.id}` },
      ]}
      marks={
        <>
          <ModeMark mode={client.mode} />
          <ClientStatusMark
            status={client.status}
            stopped={client.killSwitch !== null}
            inReview={openReviewOf(client) !== undefined}
          />
        </>
      }
      actions={production ? <LifecycleActions client={client} /> : <MakeStarterKit clientId={client.id} />}
    >
      <FailureAlert failure={view.error} title="The client could not be refreshed" retry={view.refetch} />
      <PageTabs
        tabs={[
          { name: 'overview', title: 'Overview', content: <ClientOverview client={client} /> },
          { name: 'configuration', title: 'Configuration', content: <ClientConfiguration client={client} /> },
          ...(production ? [{ name: 'review', title: 'Review', content: <ClientReviewTab client={client} /> }] : []),
          { name: 'events', title: 'Events', content: <ClientEvents clientId={client.id} /> },
          { name: 'history', title: 'History', content: <ClientHistory client={client} /> },
        ]}
      />
    </Page>
  );
}
