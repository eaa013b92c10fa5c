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
            href: `/test-data?kit=${id}`,
          },
          { title: 'Test data', says: 'test users, events, permits', href: `/test-data?partner=${partner.id}` },
        ]
      : []),
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
