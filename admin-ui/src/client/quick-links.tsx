import { ViewLink } from '../parts/view-link.tsx';
import type { ClientData } from './document.ts';

type QuickLink = [title: string, href: string, description: string];

/** Other views, filtered to this client. */
export function QuickLinks({ client: { id, mode, partner } }: { client: ClientData }) {
  const ofSandbox: QuickLink[] = [
    ['Starter kit', `/clients/${id}/starter-kit`, 'a test user, an event and three permits in one step'],
    ['Test users', `/test-users?partner=${partner.id}`, 'who can sign in with it'],
    ['Permits', `/permits?partner=${partner.id}`, 'tickets that it can list'],
  ];
  const links: QuickLink[] = [
    ['Timeline', `/timeline?search=${id}`, 'everything that happened with it'],
    ['Dashboard', `/dashboard?client=${id}`, 'sign-ins, tokens, API calls'],
    ['Grants', `/grants?client=${id}`, 'fans who gave it access'],
    ...(mode === 'SANDBOX' ? ofSandbox : []),
    ['Kill switch', `/kill-switches?stop=CLIENT&subject=${id}`, 'stop it from the next call on'],
  ];
  return (
    <ul className="plain-list">
      {links.map(([title, href, description]) => (
        <li key={href}>
          <ViewLink href={href} size="sm">
            {title}
          </ViewLink>{' '}
          <span className="aside">{description}</span>
        </li>
      ))}
    </ul>
  );
}
