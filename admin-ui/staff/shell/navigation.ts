import {
  type Icon,
  IconApi,
  IconBuilding,
  IconCalendarEvent,
  IconChecklist,
  IconClipboardText,
  IconDeviceMobile,
  IconDevices,
  IconFileImport,
  IconFlask,
  IconHandStop,
  IconHome,
  IconKey,
  IconMessage2,
  IconPlug,
  IconPlugConnected,
  IconRobot,
  IconShieldCheck,
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
  /** The right without which there is nothing to do there, and it is left out. */
  right?: string;
}

const view = (title: string, href: string, icon: Icon, description: string, right?: string): NavigationEntry => ({
  title,
  href,
  icon,
  description,
  ...(right !== undefined && { right }),
});

/** In the order in which they are used: what is rarely opened is last. */
export const NAVIGATION: { title: string; entries: NavigationEntry[] }[] = [
  {
    title: 'Overview',
    entries: [
      view('Home', '/', IconHome, 'What needs somebody: faults, decisions and traffic'),
      view('Timeline', '/timeline', IconTimeline, 'What happened to a request, grant, wallet, phone…'),
      view('Requests', '/requests', IconApi, 'Calls: what failed, when and why'),
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
    title: 'Inventory',
    entries: [
      view('Events', '/events', IconCalendarEvent, 'What tickets are for, in both modes'),
      view('Tickets', '/tickets', IconTicket, 'Who holds which ticket'),
      view('Permits', '/permits', IconShieldCheck, 'Onchain rights to tickets'),
      view(
        'Import runs',
        '/imports',
        IconFileImport,
        'Files of events and tickets, and rows that failed',
        'inventory:write',
      ),
    ],
  },
  {
    title: 'Integrations',
    entries: [
      view('Partners', '/partners', IconBuilding, 'Companies that integrate with the service'),
      view('Clients', '/clients', IconPlug, 'OAuth clients, sandbox and production'),
      view('Test users', '/test-users', IconDeviceMobile, 'Fictional phone numbers with fixed codes'),
      view('Test events', '/test-events', IconFlask, 'Events of sandbox tickets'),
    ],
  },
  {
    title: 'Operations',
    entries: [
      view('Review queue', '/reviews', IconChecklist, 'Production clients waiting for a decision', 'clients:review'),
      view('Proposals', '/proposals', IconUsersGroup, 'What a second person has to approve'),
      view('Verification', '/verification', IconMessage2, 'SMS codes: budget, limits and breakers', 'switches:write'),
      view(
        'Kill switches',
        '/kill-switches',
        IconHandStop,
        'Stop a client, a fan, co-signing or SMS',
        'switches:write',
      ),
      view('Audit log', '/audit', IconClipboardText, 'Who changed what, and why', 'audit:read'),
      view('Keys', '/keys', IconSignature, 'Signing keys and their rotation', 'keys:rotate'),
      view('Staff', '/staff', IconUsers, 'People and what each role can do', 'staff:write'),
      view('Service accounts', '/service-accounts', IconRobot, 'Machines that import and read', 'audit:read'),
    ],
  },
];

/** One’s own, in the menu of the person. */
export const OWN_VIEWS: NavigationEntry[] = [
  view('My sessions', '/sessions', IconDevices, 'Browsers where you are signed in'),
  view('Tokens', '/tokens', IconKey, 'Access tokens for scripts and jobs'),
];
