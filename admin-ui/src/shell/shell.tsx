import { Anchor, AppShell, Burger, Group, Input, Text } from '@mantine/core';
import { useDisclosure, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useViewer } from '../data/viewer.ts';
import mark from '../icon.svg';
import { forgetDrafts } from '../parts/draft.ts';
import { Banners } from './banners.tsx';
import { PersonMenu } from './person-menu.tsx';
import { Search } from './search.tsx';
import { ShortcutHelp, useShortcuts, useSingleKeys } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { FreshSignIn } from './sign-in-again.tsx';

const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Around every view: the sidebar, the bar at the top, the search and the banners. */
export function Shell({ children }: { children: ReactNode }) {
  const [menuOpen, menu] = useDisclosure();
  const [searching, search] = useDisclosure();
  const [helpOpen, help] = useDisclosure();
  const [singleKeys, setSingleKeys] = useSingleKeys();
  useSamePerson();
  useShortcuts(singleKeys, help.open);
  useHotkeys([['mod+K', search.toggle]], []);

  return (
    <>
      <SkipLink />
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 224, breakpoint: 'md', collapsed: { mobile: !menuOpen } }}
        padding={0}
        __vars={{ '--app-shell-border-color': 'var(--line)' }}
      >
        <AppShell.Header>
          <Group h="100%" px="sm" gap="sm" wrap="nowrap" justify="space-between">
            <Group gap="xs" wrap="nowrap">
              <Burger
                opened={menuOpen}
                onClick={menu.toggle}
                hiddenFrom="md"
                size="sm"
                aria-label="Views"
                aria-expanded={menuOpen}
              />
              <Anchor component={Link} href="/" aria-label="Console" c="inherit" fw={650} underline="never">
                <Group gap={10} wrap="nowrap">
                  <img src={mark} alt="" width={26} height={26} />
                  <Text span inherit visibleFrom="sm">
                    Console
                  </Text>
                </Group>
              </Anchor>
            </Group>
            <Input
              component="button"
              type="button"
              pointer
              flex="0 1 420px"
              leftSection={<IconSearch size={16} aria-hidden />}
              rightSection={
                <Text span size="xs" visibleFrom="sm" aria-hidden>
                  {COMMAND_KEY} K
                </Text>
              }
              rightSectionWidth={64}
              rightSectionPointerEvents="none"
              onClick={search.open}
              aria-keyshortcuts="Control+K Meta+K"
            >
              <Text span inherit c="dimmed">
                Search
              </Text>
            </Input>
            <PersonMenu onHelp={help.open} />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" component="div" style={{ overflowY: 'auto' }}>
          <Sidebar onNavigate={menu.close} />
        </AppShell.Navbar>
        <AppShell.Main id="view" tabIndex={-1}>
          <Banners />
          <div className="view">{children}</div>
        </AppShell.Main>
      </AppShell>
      {searching && <Search onClose={search.close} onHelp={help.open} />}
      <FreshSignIn />
      {helpOpen && <ShortcutHelp singleKeys={singleKeys} onSingleKeys={setSingleKeys} onClose={help.close} />}
    </>
  );
}

/** The first thing that Tab reaches. `<base>` would make a bare `#view` an address of another view. */
function SkipLink() {
  return (
    <a
      href={`${window.location.pathname}${window.location.search}#view`}
      className="skip-link"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('view')?.focus();
      }}
    >
      Skip to content
    </a>
  );
}

/**
 * Reloads the page when somebody else has signed in in another tab of the browser: what one person typed must not be sent
 * in the name of another.
 */
function useSamePerson(): void {
  const { viewer, refetch } = useViewer();
  const first = useRef(viewer.id).current;
  useWindowEvent('focus', () => void refetch());
  useEffect(() => forgetDrafts(first), [first]);
  useEffect(() => {
    if (viewer.id !== first) window.location.reload();
  }, [viewer.id, first]);
}
