import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { ClientData } from './document.ts';

/** The views of other parts of the console, narrowed to this client. */
export function QuickLinks({ client: { id, mode, partner } }: { client: ClientData }) {
  const sandbox = mode === 'SANDBOX';
  const links = [
    { title: 'Timeline', description: 'everything that happened with it', href: `/timeline?search=${id}` },
    { title: 'Dashboard', description: 'sign-ins, tokens, API calls', href: `/dashboard?client=${id}` },
    { title: 'Grants', description: 'fans who gave it access', href: `/grants?client=${id}` },
    ...(sandbox
      ? [
          {
            title: 'Starter kit',
            description: 'a test user, an event and three permits in one step',
            href: `/clients/${id}/starter-kit`,
          },
          { title: 'Test users', description: 'who can sign in with it', href: `/test-users?partner=${partner.id}` },
          { title: 'Permits', description: 'tickets that it can list', href: `/permits?partner=${partner.id}` },
        ]
      : []),
    {
      title: 'Kill switch',
      description: 'stop it from the next call on',
      href: `/kill-switches?stop=CLIENT&subject=${id}`,
    },
  ];
  return (
    <ul className="plain-list">
      {links.map(({ title, description, href }) => (
        <li key={href}>
          <Anchor component={Link} href={href} size="sm">
            {title}
          </Anchor>{' '}
          <span className="aside">{description}</span>
        </li>
      ))}
    </ul>
  );
}
