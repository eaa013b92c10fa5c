import {
  ArrowsRightLeftIcon,
  BeakerIcon,
  BuildingOffice2Icon,
  CalendarIcon,
  ChatBubbleBottomCenterTextIcon,
  ClipboardIcon,
  CodeBracketIcon,
  CpuChipIcon,
  DevicePhoneMobileIcon,
  DocumentArrowUpIcon,
  DocumentCheckIcon,
  HandRaisedIcon,
  HomeIcon,
  InboxIcon,
  KeyIcon,
  LinkIcon,
  ListBulletIcon,
  LockClosedIcon,
  ShieldCheckIcon,
  SignalIcon,
  Squares2X2Icon,
  TagIcon,
  TicketIcon,
  UserIcon,
  UsersIcon,
  WindowIcon,
} from '@heroicons/react/24/outline';
import type { Icon } from '../../kit/shell/frame.tsx';

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
      view('Home', '/', HomeIcon, 'What needs somebody: faults, decisions and traffic'),
      view('Timeline', '/timeline', ListBulletIcon, 'What happened to a request, grant, wallet, phone…'),
      view('Requests', '/requests', CodeBracketIcon, 'Calls: what failed, when and why'),
    ],
  },
  {
    title: 'Fans',
    entries: [
      view('Fans', '/fans', UserIcon, 'Find a fan by phone'),
      view('Grants', '/grants', LinkIcon, 'What fans allowed clients to do'),
      view('Listings', '/listings', TagIcon, 'Tickets for sale onchain'),
      view('Claims', '/claims', ArrowsRightLeftIcon, 'Tickets moved by signed transfers'),
    ],
  },
  {
    title: 'Inventory',
    entries: [
      view('Events', '/events', CalendarIcon, 'What tickets are for, in both modes'),
      view('Tickets', '/tickets', TicketIcon, 'Who holds which ticket'),
      view('Permits', '/permits', ShieldCheckIcon, 'Onchain rights to tickets'),
      view(
        'Import runs',
        '/imports',
        DocumentArrowUpIcon,
        'Files of events and tickets, and rows that failed',
        'inventory:write',
      ),
      view('Feed followers', '/followers', SignalIcon, 'Gates and others that follow the tickets, how far behind'),
    ],
  },
  {
    title: 'Integrations',
    entries: [
      view('Partners', '/partners', BuildingOffice2Icon, 'Companies that integrate with the service'),
      view('Clients', '/clients', Squares2X2Icon, 'OAuth clients, sandbox and production'),
      view('Test users', '/test-users', DevicePhoneMobileIcon, 'Fictional phone numbers with fixed codes'),
      view('Test events', '/test-events', BeakerIcon, 'Events of sandbox tickets'),
    ],
  },
  {
    title: 'Operations',
    entries: [
      view('Review queue', '/reviews', InboxIcon, 'Production clients waiting for a decision', 'clients:review'),
      view('Proposals', '/proposals', DocumentCheckIcon, 'What a second person has to approve'),
      view(
        'Verification',
        '/verification',
        ChatBubbleBottomCenterTextIcon,
        'SMS codes: budget, limits and breakers',
        'switches:write',
      ),
      view(
        'Kill switches',
        '/kill-switches',
        HandRaisedIcon,
        'Stop a client, a fan, co-signing or SMS',
        'switches:write',
      ),
      view('Audit log', '/audit', ClipboardIcon, 'Who changed what, and why', 'audit:read'),
      view('Keys', '/keys', LockClosedIcon, 'Signing keys and their rotation', 'keys:rotate'),
      view('Staff', '/staff', UsersIcon, 'People and what each role can do', 'staff:write'),
      view('Service accounts', '/service-accounts', CpuChipIcon, 'Machines that import and read', 'audit:read'),
    ],
  },
];

/** One’s own, in the menu of the person. */
export const OWN_VIEWS: NavigationEntry[] = [
  view('My sessions', '/sessions', WindowIcon, 'Browsers where you are signed in'),
  view('Tokens', '/tokens', KeyIcon, 'Access tokens for scripts and jobs'),
];
