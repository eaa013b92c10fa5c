import {
  type Icon,
  IconBuilding,
  IconCalendarEvent,
  IconChartBar,
  IconChecklist,
  IconClipboardText,
  IconDeviceMobile,
  IconDevices,
  IconHandStop,
  IconHome,
  IconKey,
  IconMessage2,
  IconPlug,
  IconPlugConnected,
  IconSignature,
  IconTag,
  IconTicket,
  IconTimeline,
  IconTransfer,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react';

/** Something the sidebar and the search lead to. */
export interface NavigationEntry {
  title: string;
  href: string;
  icon: Icon;
  /** What it is for, in the search. */
  description: string;
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
    entries: [
      { title: 'Home', href: '/', icon: IconHome, description: 'What waits, and where to begin' },
      {
        title: 'Dashboard',
        href: '/dashboard',
        icon: IconChartBar,
        description: 'Sign-ins, tokens, calls, codes in charts',
      },
      {
        title: 'Timeline',
        href: '/timeline',
        icon: IconTimeline,
        description: 'The story of a request, grant, wallet, phone…',
      },
    ],
  },
  {
    title: 'Integrations',
    entries: [
      { title: 'Partners', href: '/partners', icon: IconBuilding, description: 'Companies that integrate' },
      { title: 'Clients', href: '/clients', icon: IconPlug, description: 'OAuth clients, sandbox and production' },
      {
        title: 'Review queue',
        href: '/reviews',
        icon: IconChecklist,
        description: 'Production clients that wait for a decision',
      },
    ],
  },
  {
    title: 'Sandbox',
    entries: [
      {
        title: 'Test users',
        href: '/test-users',
        icon: IconDeviceMobile,
        description: 'Phones, codes and wallets to try with',
      },
      { title: 'Test events', href: '/test-events', icon: IconCalendarEvent, description: 'What test tickets are for' },
      { title: 'Permits', href: '/permits', icon: IconTicket, description: 'Who holds which ticket; grant and revoke' },
    ],
  },
  {
    title: 'Fans',
    entries: [
      { title: 'Fans', href: '/fans', icon: IconUserSearch, description: 'Find a fan by phone' },
      { title: 'Grants', href: '/grants', icon: IconPlugConnected, description: 'What fans allowed clients' },
      { title: 'Listings', href: '/listings', icon: IconTag, description: 'Tickets on sale, as the chain shows' },
      { title: 'Claims', href: '/claims', icon: IconTransfer, description: 'Tickets moved by signed transfers' },
    ],
  },
  {
    title: 'Operations',
    entries: [
      {
        title: 'Verification',
        href: '/verification',
        icon: IconMessage2,
        description: 'Codes by SMS: breaker, budget, limits',
      },
      { title: 'Keys', href: '/keys', icon: IconSignature, description: 'Signing keys and their rotation' },
      {
        title: 'Kill switches',
        href: '/kill-switches',
        icon: IconHandStop,
        description: 'Stop a client, a fan, co-signing, SMS',
      },
      {
        title: 'Audit log',
        href: '/audit',
        icon: IconClipboardText,
        description: 'What was done, by whom and why',
        right: 'audit:read',
      },
      { title: 'Staff', href: '/staff', icon: IconUsers, description: 'Who works here, and what each role may' },
      { title: 'Tokens', href: '/tokens', icon: IconKey, description: 'Access tokens for scripts and jobs' },
      {
        title: 'My sessions',
        href: '/sessions',
        icon: IconDevices,
        description: 'Browsers in which you are signed in',
      },
    ],
  },
];
