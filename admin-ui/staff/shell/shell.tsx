import { Input, Menu, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconKeyboard, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Frame } from '../../kit/shell/frame.tsx';
import { PersonMenu } from '../../kit/shell/person-menu.tsx';
import { useSamePerson } from '../../kit/shell/use-same-person.ts';
import { signOut } from '../address.ts';
import { useViewer } from '../data/viewer.ts';
import { Banners } from './banners.tsx';
import { NAVIGATION, OWN_VIEWS } from './navigation.ts';
import { Search } from './search.tsx';
import { ShortcutHelp, useShortcuts, useSingleKeys } from './shortcuts.tsx';
import { FreshSignIn } from './sign-in-again.tsx';

const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Around every view: the sidebar, the bar at the top, the search and the banners. */
export function Shell({ children }: { children: ReactNode }) {
  const [searching, search] = useDisclosure();
  const [helpOpen, help] = useDisclosure();
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const { viewer, has, refetch } = useViewer();
  useSamePerson(viewer.id, refetch);
  useShortcuts(singleKeys, help.open);
  useHotkeys([['mod+K', search.toggle]], []);
  const navigation = NAVIGATION.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ right }) => right === undefined || has(right)),
  }));
  return (
    <>
      <Frame
        name="Console"
        navigation={navigation}
        search={<SearchButton onClick={search.open} />}
        personMenu={
          <PersonMenu name={viewer.name} description={viewer.role.toLowerCase()} signOut={signOut}>
            {OWN_VIEWS.map(({ title, href, icon: Icon }) => (
              <Menu.Item key={href} component={Link} href={href} leftSection={<Icon size={16} aria-hidden />}>
                {title}
              </Menu.Item>
            ))}
            <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={help.open}>
              Keyboard shortcuts
            </Menu.Item>
          </PersonMenu>
        }
        banners={<Banners />}
      >
        {children}
      </Frame>
      {searching && <Search onClose={search.close} onHelp={help.open} />}
      <FreshSignIn />
      {helpOpen && <ShortcutHelp singleKeys={singleKeys} onSingleKeys={setSingleKeys} onClose={help.close} />}
    </>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
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
      onClick={onClick}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <Text span inherit c="dimmed">
        Search
      </Text>
    </Input>
  );
}
