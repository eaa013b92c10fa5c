import { Anchor, AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import mark from '../icon.svg';
import { type NavigationGroup, Sidebar } from './sidebar.tsx';

interface FrameProps {
  /** The name of the application, which leads to its first view. */
  name: string;
  navigation: readonly NavigationGroup[];
  /** In the bar at the top: between the name and the person. */
  search?: ReactNode;
  personMenu: ReactNode;
  /** Above every view. */
  banners?: ReactNode;
  children: ReactNode;
}

/** Around every view: the sidebar and the bar at the top. */
export function Frame({ name, navigation, search, personMenu, banners, children }: FrameProps) {
  const [menuOpen, menu] = useDisclosure();
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
              <Anchor component={Link} href="/" aria-label={name} c="inherit" fw={650} underline="never">
                <Group gap={10} wrap="nowrap">
                  <img src={mark} alt="" width={26} height={26} />
                  <Text span inherit visibleFrom="sm">
                    {name}
                  </Text>
                </Group>
              </Anchor>
            </Group>
            {search}
            {personMenu}
          </Group>
        </AppShell.Header>
        <AppShell.Navbar
          p="xs"
          component="div"
          className="sidebar"
          data-closed={!menuOpen || undefined}
          style={{ overflowY: 'auto' }}
        >
          <Sidebar groups={navigation} onNavigate={menu.close} />
        </AppShell.Navbar>
        <AppShell.Main id="view" tabIndex={-1}>
          {banners}
          <div className="view">{children}</div>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

/** The first thing that Tab reaches. `<base>` would make a bare `#view` an address of another view. */
function SkipLink() {
  // drawn again with each address, so that it is always one of this page
  useLocation();
  useSearch();
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
