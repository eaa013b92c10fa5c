import { AppShell, Burger, Group, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'wouter';
import mark from '../icon.svg';
import { ChainBanner } from './chain-banner.tsx';
import { FreshSignIn } from './fresh-sign-in.tsx';
import { PersonMenu } from './person-menu.tsx';
import { Search } from './search.tsx';
import { ShortcutHelp, useShortcuts, useSingleKeys } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { StopBanner } from './stop-banner.tsx';
import { useSamePerson } from './use-same-person.ts';

const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** What surrounds every view: the sidebar, the bar on top, the search, and the banners while something is stopped or a chain is out of order. */
export function Shell({ children }: { children: ReactNode }) {
  const [menuOpen, menu] = useDisclosure();
  const [searching, search] = useDisclosure();
  const [helpOpen, setHelpOpen] = useState(false);
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useSamePerson();
  useShortcuts(singleKeys, openHelp);
  useHotkeys([['mod+K', search.toggle]], []);

  return (
    <>
      <SkipLink />
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 224, breakpoint: 'md', collapsed: { mobile: !menuOpen } }}
        padding={0}
      >
        <AppShell.Header className="top-bar">
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
              <Link href="/" className="brand">
                <img src={mark} alt="" width={26} height={26} />
                <span>Console</span>
              </Link>
            </Group>
            <UnstyledButton className="search-opener" onClick={search.open} aria-keyshortcuts="Control+K Meta+K">
              <IconSearch size={16} aria-hidden />
              <span>Search</span>
              <kbd aria-hidden>{COMMAND_KEY} K</kbd>
            </UnstyledButton>
            <PersonMenu onHelp={openHelp} />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" className="side-bar" component="div">
          <Sidebar onNavigate={menu.close} />
        </AppShell.Navbar>
        <AppShell.Main id="view" tabIndex={-1}>
          <StopBanner />
          <ChainBanner />
          <div className="view">{children}</div>
        </AppShell.Main>
      </AppShell>
      {searching && <Search onClose={search.close} onHelp={openHelp} />}
      <FreshSignIn />
      {helpOpen && (
        <ShortcutHelp singleKeys={singleKeys} onSingleKeys={setSingleKeys} onClose={() => setHelpOpen(false)} />
      )}
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
      Skip to the content
    </a>
  );
}
