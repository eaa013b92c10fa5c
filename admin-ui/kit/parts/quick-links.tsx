import { ViewLink } from './view-link.tsx';

export type QuickLink = [title: string, href: string, description: string];

/** Links to other views, each with what is there. */
export function QuickLinks({ links }: { links: readonly QuickLink[] }) {
  return (
    <ul className="plain-list quick-links">
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
