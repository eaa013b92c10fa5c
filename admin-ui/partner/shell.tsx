import {
  ArrowPathIcon,
  ArrowTopRightOnSquareIcon,
  BookOpenIcon,
  BugAntIcon,
  CalendarIcon,
  ChartBarIcon,
  CodeBracketIcon,
  CommandLineIcon,
  DevicePhoneMobileIcon,
  HomeIcon,
  MagnifyingGlassIcon,
  PaperAirplaneIcon,
  ShieldCheckIcon,
  Squares2X2Icon,
  TicketIcon,
  UsersIcon,
  WindowIcon,
} from '@heroicons/react/24/outline';
import { Box, Menu, TextInput } from '@mantine/core';
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
            leftSection={<BookOpenIcon width={16} />}
            rightSection={<ArrowTopRightOnSquareIcon width={14} />}
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
          leftSection={<MagnifyingGlassIcon width={16} />}
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
      { title: 'Overview', href: '/', icon: HomeIcon },
      { title: 'Clients', href: '/clients', icon: Squares2X2Icon },
      { title: 'How to call', href: '/connect', icon: CommandLineIcon },
      { title: 'Go-live checks', href: '/go-live-checks', icon: ShieldCheckIcon },
    ],
  },
  {
    title: 'Activity',
    entries: [
      { title: 'Requests', href: '/requests', icon: CodeBracketIcon },
      { title: 'Events', href: '/events', icon: PaperAirplaneIcon },
      { title: 'Usage and limits', href: '/usage', icon: ChartBarIcon },
    ],
  },
  {
    title: 'Sandbox',
    entries: [
      { title: 'Test users', href: '/test-users', icon: DevicePhoneMobileIcon },
      { title: 'Test events', href: '/test-events', icon: CalendarIcon },
      { title: 'Permits', href: '/permits', icon: TicketIcon },
      { title: 'Failures', href: '/failures', icon: BugAntIcon },
      { title: 'Reset sandbox', href: '/reset-sandbox', icon: ArrowPathIcon },
    ],
  },
  {
    title: 'Your company',
    entries: [
      { title: 'People', href: '/people', icon: UsersIcon },
      { title: 'My sessions', href: '/sessions', icon: WindowIcon },
    ],
  },
];
