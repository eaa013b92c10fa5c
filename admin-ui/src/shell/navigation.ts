import { type Icon, IconBuilding, IconChecklist, IconHome, IconPlug } from '@tabler/icons-react';

/** Something the sidebar and the search lead to. */
export interface NavigationEntry {
  title: string;
  href: string;
  icon: Icon;
  /** What it is for, in the search. */
  says: string;
  /** The right without which it shows nothing; it is left out then. */
  right?: string;
}

export interface NavigationGroup {
  title: string;
  entries: NavigationEntry[];
}

export const NAVIGATION: NavigationGroup[] = [
  {
    title: 'Overview',
    entries: [{ title: 'Home', href: '/', icon: IconHome, says: 'What waits, and where to begin' }],
  },
  {
    title: 'Integrations',
    entries: [
      { title: 'Partners', href: '/partners', icon: IconBuilding, says: 'Companies that integrate' },
      { title: 'Clients', href: '/clients', icon: IconPlug, says: 'OAuth clients, sandbox and production' },
      {
        title: 'Review queue',
        href: '/reviews',
        icon: IconChecklist,
        says: 'Production clients that wait for a decision',
      },
    ],
  },
];
