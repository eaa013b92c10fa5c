import { Alert } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ClientData, ClientStep } from './document.ts';
import { STEP_WORDS, useStepObstacle } from './steps.ts';

/** What comes next, by status; null where nothing is to be done. */
const STATES: Record<ClientData['status'], { title: string; description: string } | null> = {
  SANDBOX_READY: {
    title: 'Ready to be tried',
    description:
      'Give the client_id to the developers, and make test data: a test user with tickets is enough to walk through sign-in, consent and the API.',
  },
  DRAFT: {
    title: 'Next: submit it for review',
    description: 'Nobody can use it yet. Check the redirect URIs and scopes, then submit it with a note.',
  },
  IN_REVIEW: {
    title: 'Next: a second person decides',
    description: 'An edit now becomes part of the review, and the person who makes it can’t approve the client.',
  },
  APPROVED: {
    title: 'Next: enable it',
    description: 'It was approved as it stands. Nobody can use it until it is enabled.',
  },
  ENABLED: null,
  REJECTED: {
    title: 'Next: change it and submit it again',
    description: 'The reason is under Review.',
  },
  SUSPENDED: {
    title: 'Suspended',
    description: 'It can’t sign fans in, refresh tokens or call the API. Its grants stay, and it can be enabled again.',
  },
};

/** The next step in a client's life cycle, and whether this person can take it. */
export function NextStep({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const state = STATES[client.status];
  if (!state) return null;
  const step = client.steps.find(({ name }) => STEP_WORDS[name].look === 'main');
  return (
    <Alert variant="default" icon={<IconArrowRight aria-hidden />} title={state.title}>
      {state.description} {step && (obstacleTo(step) ?? freshSignInFor(step))}
    </Alert>
  );
}

function freshSignInFor({ name, right }: ClientStep): string | undefined {
  return right.fresh ? `To ${name.toLowerCase()} it, you need a sign-in from the last five minutes.` : undefined;
}
