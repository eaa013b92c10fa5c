import { useLocation, useParams } from 'wouter';
import { useChange, useView } from '../../kit/data/view.ts';
import { deliveryFacts, FORMATS } from '../../kit/event/endpoint.tsx';
import { FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { Facts, IdChip, ModeMark, Moment } from '../../kit/parts/values.tsx';
import { ENDPOINT, EndpointState, nameOf, REFRESH_MS } from '../events/document.tsx';
import { EndpointActions } from '../events/endpoint-actions.tsx';
import { DeliveryLog } from '../events/log.tsx';
import { SEND_TEST, TestResult } from '../events/test-result.tsx';

/** One endpoint: its state, what can be done with it, and what it was told. */
export function EndpointPage() {
  const { id } = useParams<{ id: string }>();
  const [, navigate] = useLocation();
  const view = useView('notification-endpoint', ENDPOINT, { id }, { refetchInterval: REFRESH_MS });
  const test = useChange(SEND_TEST);
  const { found: endpoint, instead } = findIn(view, 'endpoint', (data) => data.notificationEndpoint);
  if (!endpoint) return instead;
  const { client, format, types, failingSince, oldSecretUntil } = endpoint;
  const polls = format === 'SET_POLL';
  return (
    <Page
      title={nameOf(endpoint)}
      above={[{ title: 'Events', href: '/events' }]}
      marks={<ModeMark mode={client.mode} />}
      actions={
        <EndpointActions
          endpoint={endpoint}
          onTest={() => test.mutate({ endpointId: id })}
          onRemoved={() => navigate('/events')}
        />
      }
    >
      <FailureAlert failure={view.error} title="The endpoint could not be refreshed" retry={view.refetch} />
      <FailureAlert failure={test.error} title="No test was sent" />
      {(test.isPending || test.data) && (
        <TestResult endpoint={endpoint} sent={test.data} onClose={() => test.reset()} />
      )}
      <Section title="Endpoint">
        <Facts
          of={{
            State: <EndpointState endpoint={endpoint} />,
            'Failing since': failingSince === null ? undefined : <Moment at={failingSince} />,
            Client: <ViewLink href={`/clients/${client.id}`}>{client.name}</ViewLink>,
            Format: FORMATS[format].label,
            Events: types.map((type) => <div key={type}>{type}</div>),
            ...deliveryFacts(endpoint),
            [polls ? 'Old token ends' : 'Old secret ends']:
              oldSecretUntil === null ? undefined : <Moment at={oldSecretUntil} />,
            ID: <IdChip id={endpoint.id} />,
          }}
        />
      </Section>
      <Section
        title="Deliveries"
        description={`Of the last 30 days, newest first. ${
          polls
            ? 'An event waits three days for polls that get and acknowledge it, then it is dead.'
            : 'An event is tried about ten times over three days, then it is dead.'
        }`}
      >
        <DeliveryLog endpointId={endpoint.id} polls={polls} />
      </Section>
    </Page>
  );
}
