import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { ClientData } from './document.ts';

/** The views of other parts of the console, narrowed to this client. */
export function QuickLinks({ client: { id, mode, partner } }: { client: ClientData }) {
  const sandbox = mode === 'SANDBOX';
  const links = [
    { title: 'Timeline', says: 'everything that happened with it', href: `/timeline?search=${id}` },
    { title: 'Dashboard', says: 'sign-ins, tokens, API calls', href: `/dashboard?client=${id}` },
    { title: 'Grants', says: 'fans who gave it access', href: `/grants?client=${id}` },
    ...(sandbox
      ? [
          {
            title: 'Starter kit',
            says: 'a test user, an event and three permits in one step',
            href: `/clients/${id}/starter-kit`,
          },
          { title: 'Test users', says: 'who can sign in with it', href: `/test-users?partner=${partner.id}` },
          { title: 'Permits', says: 'tickets that it can list', href: `/permits?partner=${partner.id}` },
        ]
      : []),
    { title: 'Kill switch', says: 'stop it from the next call on', href: `/kill-switches?stop=CLIENT&subject=${id}` },
  ];
  return (
    <ul className="plain-list">
      {links.map(({ title, says, href }) => (
        <li key={href}>
          <Anchor component={Link} href={href} size="sm">
            {title}
          </Anchor>{' '}
          <span className="aside">{says}</span>
        </li>
      ))}
    </ul>
  );
}
