import { useLocation, useParams } from 'wouter';
import { useView } from '../../../../console-kit/data/view.ts';
import { Facts } from '../../../../console-kit/parts/facts.tsx';
import { FailureAlert } from '../../../../console-kit/parts/failure-alert.tsx';
import { findIn } from '../../../../console-kit/parts/found.tsx';
import { IdChip } from '../../../../console-kit/parts/id-chip.tsx';
import { ModeMark } from '../../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../../console-kit/parts/moment.tsx';
import { Page } from '../../../../console-kit/parts/page.tsx';
import { Section } from '../../../../console-kit/parts/section.tsx';
import { ViewLink } from '../../../../console-kit/parts/view-link.tsx';
import { ENDPOINT, FORMATS, nameOf, REFRESH_MS } from '../events/document.ts';
import { EndpointActions } from '../events/endpoint-actions.tsx';
import { DeliveryLog } from '../events/log.tsx';
import { EndpointState } from '../events/state.tsx';

/** One endpoint: its state, what can be done with it, and what it was told. */
export function EndpointPage() {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const view = useView('notification-endpoint', ENDPOINT, { id }, { refetchInterval: REFRESH_MS });
  const { found: endpoint, instead } = findIn(view, 'endpoint', (data) => data.notificationEndpoint);
  if (!endpoint) return instead;
  const { client, format, types, failingSince, lastDeliveredAt, oldSecretUntil, waiting, dead } = endpoint;
  return (
    <Page
      title={nameOf(endpoint)}
      above={[{ title: 'Events', href: '/events' }]}
      marks={<ModeMark mode={client.mode} />}
      actions={<EndpointActions endpoint={endpoint} onRemoved={() => navigate('/events')} />}
    >
      <FailureAlert failure={view.error} title="The endpoint could not be refreshed" retry={view.refetch} />
      <Section title="Endpoint">
        <Facts
          of={{
            State: <EndpointState endpoint={endpoint} />,
            'Failing since': failingSince === null ? undefined : <Moment at={failingSince} />,
            Client: <ViewLink href={`/clients/${client.id}`}>{client.name}</ViewLink>,
            Format: FORMATS[format].label,
            Events: types.map((type) => <div key={type}>{type}</div>),
            'Last delivery': lastDeliveredAt === null ? 'None yet' : <Moment at={lastDeliveredAt} />,
            'Waiting to be sent': waiting.toLocaleString('en'),
            'Dead: given up': dead.toLocaleString('en'),
            [format === 'SET_POLL' ? 'Old token ends' : 'Old secret ends']:
              oldSecretUntil === null ? undefined : <Moment at={oldSecretUntil} />,
            ID: <IdChip id={endpoint.id} />,
          }}
        />
      </Section>
      <Section
        title="Deliveries"
        description="Of the last 30 days, newest first. An event is tried about ten times over three days, then it is dead."
      >
        <DeliveryLog endpointId={endpoint.id} />
      </Section>
    </Page>
  );
}
