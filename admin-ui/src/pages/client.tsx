import { Tabs } from '@mantine/core';
import { useParams, useSearchParams } from 'wouter';
import { ClientConfiguration } from '../client/configuration.tsx';
import { CLIENT } from '../client/document.ts';
import { ClientHistory } from '../client/history.tsx';
import { LifecycleActions } from '../client/lifecycle-actions.tsx';
import { ClientOverview } from '../client/overview.tsx';
import { ClientReviewTab } from '../client/review-tab.tsx';
import { ClientStatusMark } from '../client/status.tsx';
import { useView } from '../data/view.ts';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Page } from '../parts/page.tsx';
import { MakeStarterKit } from '../sandbox/make-starter-kit.tsx';
import { findIn } from './found.tsx';

/** One client: what it is, its configuration, its way through review, and what was done to it. `?tab=` names the part. */
export function ClientPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('client', CLIENT, { id });
  const [params, setParams] = useSearchParams();
  const { found: client, instead } = findIn(view, 'client', (data) => data.client);
  if (!client) return instead;
  const production = client.mode === 'PRODUCTION';
  const tabs = ['overview', 'configuration', ...(production ? ['review'] : []), 'history'];
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'overview';
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
          <ClientStatusMark status={client.status} stopped={client.killSwitch !== null} />
        </>
      }
      actions={production ? <LifecycleActions client={client} /> : <MakeStarterKit clientId={client.id} />}
    >
      <FailureAlert failure={view.error} title="The client could not be read anew" retry={view.refetch} />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== 'overview' ? { tab: next } : {})}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="configuration">Configuration</Tabs.Tab>
          {production && <Tabs.Tab value="review">Review</Tabs.Tab>}
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview" pt="md">
          <ClientOverview client={client} justRegistered={params.has('registered')} />
        </Tabs.Panel>
        <Tabs.Panel value="configuration" pt="md">
          <ClientConfiguration client={client} />
        </Tabs.Panel>
        {production && (
          <Tabs.Panel value="review" pt="md">
            <ClientReviewTab client={client} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="history" pt="md">
          <ClientHistory client={client} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
