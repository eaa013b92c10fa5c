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
      view('Home', '/', IconHome, 'What waits, and where to begin'),
      view('Dashboard', '/dashboard', IconChartBar, 'Sign-ins, tokens, calls, codes in charts'),
      view('Timeline', '/timeline', IconTimeline, 'The story of a request, grant, wallet, phone…'),
    ],
  },
  {
    title: 'Integrations',
    entries: [
      view('Partners', '/partners', IconBuilding, 'Companies that integrate'),
      view('Clients', '/clients', IconPlug, 'OAuth clients, sandbox and production'),
      view('Review queue', '/reviews', IconChecklist, 'Production clients that wait for a decision'),
    ],
  },
  {
    title: 'Sandbox',
    entries: [
      view('Test users', '/test-users', IconDeviceMobile, 'Phones, codes and wallets to try with'),
      view('Test events', '/test-events', IconCalendarEvent, 'What test tickets are for'),
      view('Permits', '/permits', IconTicket, 'Who holds which ticket; grant and revoke'),
    ],
  },
  {
    title: 'Fans',
    entries: [
      view('Fans', '/fans', IconUserSearch, 'Find a fan by phone'),
      view('Grants', '/grants', IconPlugConnected, 'What fans allowed clients'),
      view('Listings', '/listings', IconTag, 'Tickets on sale, as the chain shows'),
      view('Claims', '/claims', IconTransfer, 'Tickets moved by signed transfers'),
    ],
  },
  {
    title: 'Operations',
    entries: [
      view('Verification', '/verification', IconMessage2, 'Codes by SMS: breaker, budget, limits'),
      view('Keys', '/keys', IconSignature, 'Signing keys and their rotation'),
      view('Kill switches', '/kill-switches', IconHandStop, 'Stop a client, a fan, co-signing, SMS'),
      { ...view('Audit log', '/audit', IconClipboardText, 'What was done, by whom and why'), right: 'audit:read' },
      view('Staff', '/staff', IconUsers, 'Who works here, and what each role may'),
      view('Tokens', '/tokens', IconKey, 'Access tokens for scripts and jobs'),
      view('My sessions', '/sessions', IconDevices, 'Browsers in which you are signed in'),
    ],
  },
];
