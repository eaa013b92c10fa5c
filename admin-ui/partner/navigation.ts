import {
  IconApi,
  IconBug,
  IconCalendarEvent,
  IconChartBar,
  IconDeviceMobile,
  IconDevices,
  IconHome,
  IconPlug,
  IconPlugConnected,
  IconRefresh,
  IconSend,
  IconShieldCheck,
  IconTicket,
  IconUsers,
} from '@tabler/icons-react';
import type { NavigationGroup } from '../kit/shell/sidebar.tsx';

/** The views of the workspace. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: 'Integration',
    entries: [
      { title: 'Overview', href: '/', icon: IconHome },
      { title: 'Clients', href: '/clients', icon: IconPlug },
      { title: 'How to call', href: '/connect', icon: IconPlugConnected },
      { title: 'Go-live checks', href: '/go-live-checks', icon: IconShieldCheck },
    ],
  },
  {
    title: 'Activity',
    entries: [
      { title: 'Requests', href: '/requests', icon: IconApi },
      { title: 'Events', href: '/events', icon: IconSend },
      { title: 'Usage and limits', href: '/usage', icon: IconChartBar },
    ],
  },
  {
    title: 'Sandbox',
    entries: [
      { title: 'Test users', href: '/test-users', icon: IconDeviceMobile },
      { title: 'Test events', href: '/test-events', icon: IconCalendarEvent },
      { title: 'Permits', href: '/permits', icon: IconTicket },
      { title: 'Failures', href: '/failures', icon: IconBug },
      { title: 'Reset sandbox', href: '/reset-sandbox', icon: IconRefresh },
    ],
  },
  {
    title: 'Your company',
    entries: [
      { title: 'People', href: '/people', icon: IconUsers },
      { title: 'My sessions', href: '/sessions', icon: IconDevices },
    ],
  },
];
