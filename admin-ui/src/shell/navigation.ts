import {
  type Icon,
  IconApi,
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
  IconUsersGroup,
} from '@tabler/icons-react';

/** A view that the sidebar and the search lead to. */
interface NavigationEntry {
  title: string;
  href: string;
  icon: Icon;
  /** What it is for, in the search. */
  description: string;
  /** The right without which it shows nothing and is left out. */
  right?: string;
}

const view = (title: string, href: string, icon: Icon, description: string): NavigationEntry => ({
  title,
  href,
  icon,
  description,
});

export const NAVIGATION: { title: string; entries: NavigationEntry[] }[] = [
  {
    title: 'Overview',
    entries: [
      view('Home', '/', IconHome, 'What needs attention, and where to start'),
      view('Dashboard', '/dashboard', IconChartBar, 'Sign-ins, tokens, calls, codes and latency'),
      view('Timeline', '/timeline', IconTimeline, 'What happened to a request, grant, wallet, phone…'),
      view('Requests', '/requests', IconApi, 'Calls of the last 30 days: what failed, when and why'),
    ],
  },
  {
    title: 'Integrations',
    entries: [
      view('Partners', '/partners', IconBuilding, 'Companies that integrate with the service'),
      view('Clients', '/clients', IconPlug, 'OAuth clients, sandbox and production'),
      view('Review queue', '/reviews', IconChecklist, 'Production clients waiting for a decision'),
    ],
  },
  {
    title: 'Sandbox',
    entries: [
      view('Test users', '/test-users', IconDeviceMobile, 'Fictional phone numbers with fixed codes'),
      view('Test events', '/test-events', IconCalendarEvent, 'Events of sandbox tickets'),
      view('Permits', '/permits', IconTicket, 'Who holds which ticket'),
    ],
  },
  {
    title: 'Fans',
    entries: [
      view('Fans', '/fans', IconUserSearch, 'Find a fan by phone'),
      view('Grants', '/grants', IconPlugConnected, 'What fans allowed clients to do'),
      view('Listings', '/listings', IconTag, 'Tickets for sale onchain'),
      view('Claims', '/claims', IconTransfer, 'Tickets moved by signed transfers'),
    ],
  },
  {
    title: 'Operations',
    entries: [
      view('Proposals', '/proposals', IconUsersGroup, 'What a second person has to approve'),
      view('Verification', '/verification', IconMessage2, 'SMS codes: budget, limits and breakers'),
      view('Keys', '/keys', IconSignature, 'Signing keys and their rotation'),
      view('Kill switches', '/kill-switches', IconHandStop, 'Stop a client, a fan, co-signing or SMS'),
      { ...view('Audit log', '/audit', IconClipboardText, 'Who changed what, and why'), right: 'audit:read' },
      view('Staff', '/staff', IconUsers, 'People and what each role can do'),
      view('Tokens', '/tokens', IconKey, 'Access tokens for scripts and jobs'),
      view('My sessions', '/sessions', IconDevices, 'Browsers where you are signed in'),
    ],
  },
];
