import { Alert } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { type ClientData, type ClientStep, waitingEditOf } from './document.ts';
import { mainStepOf, useStepObstacle } from './steps.ts';

/** What comes next, by status; null where nothing is to be done. */
const STATES: Record<ClientData['status'], { title: string; description: string } | null> = {
  SANDBOX_READY: {
    title: 'Ready to use',
    description:
      'Give the client_id to the developers and create test data: with one test user and a few tickets they can try sign-in, consent and the API.',
  },
  DRAFT: {
    title: 'Next: submit it for review',
    description: 'Fans can’t use it yet. Check the redirect URIs and scopes, then submit it with a note.',
  },
  IN_REVIEW: {
    title: 'Next: a second person decides',
    description: 'Edits made now become part of the review, and the person who makes one can’t approve the client.',
  },
  APPROVED: {
    title: 'Next: enable it',
    description: 'It has been approved. Fans can’t use it until it is enabled.',
  },
  ENABLED: null,
  REJECTED: {
    title: 'Next: edit it and submit it again',
    description: 'The Review tab has the reason.',
  },
  SUSPENDED: {
    title: 'Suspended',
    description: 'It can’t sign fans in, refresh tokens or use the API. Its grants stay, and it can be enabled again.',
  },
};

/** The next step in a client's life cycle, and whether this person can take it. */
export function NextStep({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const state = STATES[client.status];
  const step = mainStepOf(client);
  if (waitingEditOf(client)) return <WaitingEdit client={client} />;
  if (!state) return null;
  return (
    <Alert variant="default" icon={<IconArrowRight aria-hidden />} title={state.title}>
      {state.description} {step && (obstacleTo(step) ?? freshSignInFor(step))}
    </Alert>
  );
}

/** An edit waits beside the registration in force. */
function WaitingEdit({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const approve = client.steps.find(({ name }) => name === 'APPROVE');
  return (
    <Alert variant="default" icon={<IconArrowRight aria-hidden />} title="Next: a second person reviews the edit">
      The registration in force stays as it is until then.{' '}
      <ViewLink href={`/clients/${client.id}?tab=review`} underline="always">
        See what would change
      </ViewLink>
      {'. '}
      {approve && obstacleTo(approve)}
    </Alert>
  );
}

function freshSignInFor({ name, right }: ClientStep): string | undefined {
  return right.fresh ? `To ${name.toLowerCase()} it, you need a sign-in within the last 5 minutes.` : undefined;
}
