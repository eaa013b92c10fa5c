import { Box, Menu, TextInput } from '@mantine/core';
import {
  IconApi,
  IconBook,
  IconBug,
  IconCalendarEvent,
  IconChartBar,
  IconDeviceMobile,
  IconDevices,
  IconExternalLink,
  IconHome,
  IconPlug,
  IconPlugConnected,
  IconRefresh,
  IconSearch,
  IconSend,
  IconShieldCheck,
  IconTicket,
  IconUsers,
} from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { Frame, type NavigationGroup, PersonMenu, useSamePerson } from '../kit/shell/frame.tsx';
import { signOut } from '../kit/shell/sign-out.ts';
import { DOCS } from './address.ts';
import { useViewer } from './data/viewer.ts';

/** Around every view: the sidebar, and the bar at the top with the search for a request. */
export function Shell({ children }: { children: ReactNode }) {
  const { viewer, refetch } = useViewer();
  useSamePerson(viewer.id, refetch);
  return (
    <Frame
      name="Partner workspace"
      navigation={NAVIGATION}
      search={<RequestSearch />}
      personMenu={
        <PersonMenu name={viewer.name} description={viewer.partner.name} signOut={signOut}>
          <Menu.Item
            component="a"
            href={DOCS}
            target="_blank"
            rel="noopener"
            leftSection={<IconBook size={16} aria-hidden />}
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            Documentation
          </Menu.Item>
        </PersonMenu>
      }
    >
      {children}
    </Frame>
  );
}

/** From the `X-Request-Id` of an answer to what is known about the request. */
function RequestSearch() {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const find = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim();
    if (id === '') return;
    setText('');
    navigate(`/requests/${encodeURIComponent(id)}`);
  };
  return (
    <Box component="search" flex="0 1 420px" miw={0}>
      <form onSubmit={find}>
        <TextInput
          type="search"
          aria-label="Request ID"
          placeholder="Find by X-Request-Id"
          title="The X-Request-Id header of an answer"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </Box>
  );
}

/** The views of the workspace. */
const NAVIGATION: readonly NavigationGroup[] = [
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
