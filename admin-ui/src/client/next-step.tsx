import { Alert } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ClientData } from './document.ts';

/** What comes next for a client in each of its states, and who does it. */
const NEXT: Partial<Record<ClientData['status'], { title: string; says: string }>> = {
  SANDBOX_READY: {
    title: 'Ready to be tried',
    says: 'Give the client_id to the developers, and make test data: a test user with tickets is enough to walk through sign-in, consent and the API.',
  },
  DRAFT: {
    title: 'Next: submit it for review',
    says: 'Nobody can use it yet. Check the redirect URIs and scopes, then submit it with a note; somebody else decides.',
  },
  IN_REVIEW: {
    title: 'Next: a second person decides',
    says: 'Whoever submitted it or edited it meanwhile can’t approve it. An edit now is part of what is decided about.',
  },
  APPROVED: {
    title: 'Next: enable it',
    says: 'It was approved as it stands. A reviewer enables it, which takes a sign-in of the last five minutes.',
  },
  REJECTED: {
    title: 'Next: change it and submit it again',
    says: 'The reason is under Review.',
  },
  SUSPENDED: {
    title: 'Suspended',
    says: 'Sign-in, refresh and the API refuse it; its grants stay. A reviewer can enable it again.',
  },
};

/** Says where a client stands and what moves it on; nothing for one that simply works. */
export function NextStep({ client }: { client: ClientData }) {
  const next = NEXT[client.status];
  if (!next) return null;
  return (
    <Alert variant="default" icon={<IconArrowRight aria-hidden />} title={next.title}>
      {next.says}
    </Alert>
  );
}
