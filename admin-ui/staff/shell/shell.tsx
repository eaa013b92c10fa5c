import { MagnifyingGlassIcon, QuestionMarkCircleIcon } from '@heroicons/react/24/outline';
import { Button, Group, Input, Kbd, Menu, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { settleFreshSignIn, useStanding } from '../../kit/data/person.ts';
import { useReturnedFocus } from '../../kit/parts/use-returned-focus.ts';
import { Frame, PersonMenu, useSamePerson } from '../../kit/shell/frame.tsx';
import { SignInAgain, useLookAgain } from '../../kit/shell/session-ended.tsx';
import { signOut } from '../../kit/shell/sign-out.ts';
import { confirmSession, freshSignInAddress } from '../address.ts';
import { useSignedIn, useViewer } from '../data/viewer.ts';
import { Banners } from './banners.tsx';
import { NAVIGATION, OWN_VIEWS } from './navigation.ts';
import { Search } from './search.tsx';

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
              <Menu.Item key={href} component={Link} href={href} leftSection={<Icon width={16} />}>
                {title}
              </Menu.Item>
            ))}
            <Menu.Item leftSection={<QuestionMarkCircleIcon width={16} />} onClick={help.open}>
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
      leftSection={<MagnifyingGlassIcon width={16} />}
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

const LOOK_FOR_MS = 5 * 60_000;

const decline = () => settleFreshSignIn(false);

/**
 * Asks for a fresh sign-in, which critical steps need: by one press on the machine of the embedded default, otherwise in another
 * tab, so that this page keeps its state. The step that was interrupted then goes on.
 */
function FreshSignIn() {
  const wanted = useStanding() === 'fresh-wanted';
  const { viewer, refetch } = useViewer();
  const { dataUpdatedAt } = useSignedIn();
  const [failed, setFailed] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (!wanted) return;
    since.current = Date.now();
    setFailed(false);
    void refetch();
  }, [wanted, refetch]);
  useEffect(() => {
    // only what the service said since: the clocks may differ
    if (wanted && viewer.freshUntil !== null && dataUpdatedAt > since.current) settleFreshSignIn(true);
  }, [wanted, viewer.freshUntil, dataUpdatedAt]);
  // polling counts as use, and an open dialog must not keep the session alive
  useLookAgain({ active: wanted, forMs: LOOK_FOR_MS, look: refetch });
  const byPress = viewer.confirmsHere && !failed;
  const confirm = () =>
    confirmSession().then(
      () => void refetch(),
      () => setFailed(true),
    );
  return (
    <Modal opened={wanted} onClose={decline} title="Confirm it’s you" size="md" zIndex={400}>
      <Stack gap="md">
        <Text size="sm">
          {byPress
            ? 'This step affects many people. It continues as soon as you confirm.'
            : 'This step affects many people. Sign in again in a new tab: your work here is kept, and the step continues afterwards.'}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={decline}>
            Not now
          </Button>
          {byPress ? (
            <Button onClick={() => void confirm()} data-autofocus>
              Confirm it’s you
            </Button>
          ) : (
            <SignInAgain href={freshSignInAddress()} />
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Keys after `g`, as in "go". */
const DESTINATIONS: Record<string, { href: string; title: string }> = {
  h: { href: '/', title: 'Home' },
  t: { href: '/timeline', title: 'Timeline' },
  p: { href: '/partners', title: 'Partners' },
  c: { href: '/clients', title: 'Clients' },
  r: { href: '/reviews', title: 'Review queue' },
  u: { href: '/test-users', title: 'Test users' },
  f: { href: '/fans', title: 'Fans' },
};

/** Time limit for the key after `g`. */
const SEQUENCE_MS = 1_200;

/** Single keys can be switched off: they get in the way of speech input (WCAG 2.2 §2.1.4). */
function useSingleKeys() {
  const [on, setOn] = useLocalStorage({
    key: 'console.single-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (on) => (on ? 'on' : 'off'),
    deserialize: (stored) => stored !== 'off',
  });
  return [on, setOn] as const;
}

/** Handles `?`, `/` and `g …` outside text fields. */
function useShortcuts(on: boolean, openHelp: () => void): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!on) return;
    let pressedG = Number.NEGATIVE_INFINITY;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const destination = event.timeStamp - pressedG < SEQUENCE_MS ? DESTINATIONS[event.key] : undefined;
      pressedG = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (destination) navigate(destination.href);
      else if (event.key === '?') openHelp();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-list-search]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [on, openHelp, navigate]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
  );
}

interface ShortcutHelpProps {
  singleKeys: boolean;
  onSingleKeys: (on: boolean) => void;
  onClose: () => void;
}

/** All keyboard shortcuts. */
function ShortcutHelp({ singleKeys, onSingleKeys, onClose }: ShortcutHelpProps) {
  useReturnedFocus();
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], 'Search for anything (⌘ K on a Mac)'],
    [['?'], 'Show this list'],
    [['/'], 'Search the current list'],
    ...Object.entries(DESTINATIONS).map(([key, { title }]): [string[], string] => [['g', key], `Go to ${title}`]),
    [['Esc'], 'Close the open dialog'],
  ];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <Stack gap="md">
        <Table withRowBorders={false} verticalSpacing={5} horizontalSpacing={0}>
          <caption className="visually-hidden">Keys and what they do</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Keys</th>
              <th scope="col">What they do</th>
            </tr>
          </thead>
          <Table.Tbody>
            {rows.map(([keys, description]) => (
              <Table.Tr key={description}>
                <Table.Td w={130}>
                  <Group gap={4}>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>{description}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          checked={singleKeys}
          onChange={(event) => onSingleKeys(event.currentTarget.checked)}
          label="Single keys (?, / and g …)"
          description="Turn these off if you use speech input or press keys by accident."
        />
        <Text size="xs" c="dimmed">
          Everything else works with Tab, Enter, Space and the arrow keys.
        </Text>
      </Stack>
    </Modal>
  );
}
