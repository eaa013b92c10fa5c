import {
  ArrowRightStartOnRectangleIcon,
  BookOpenIcon,
  ChevronDownIcon,
  ComputerDesktopIcon,
  MoonIcon,
  SunIcon,
} from '@heroicons/react/24/outline';
import {
  Anchor,
  AppShell,
  Avatar,
  Burger,
  Group,
  Menu,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { failureOf } from '../data/call.ts';
import mark from '../icon.svg';
import { forgetDrafts } from '../parts/draft.ts';
import { notify } from '../parts/notify.tsx';

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

/** An icon of Heroicons, which screen readers skip. */
export type Icon = ComponentType<{ width: number }>;

/** Views that the sidebar leads to, under a title. */
export interface NavigationGroup {
  title: string;
  entries: readonly { title: string; href: string; icon: Icon }[];
}

interface SidebarProps {
  groups: readonly NavigationGroup[];
  onNavigate: () => void;
}

/** All views in groups; the current one is marked, also on the pages below it. */
function Sidebar({ groups, onNavigate }: SidebarProps) {
  const [location] = useLocation();
  const isCurrent = (href: string) =>
    href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);
  return (
    <Stack gap={10} component="nav" aria-label="Views">
      {groups.map((group) => (
        <div key={group.title}>
          <Text size="xs" c="dimmed" fw={600} px={8}>
            {group.title}
          </Text>
          {group.entries.map(({ title, href, icon: Icon }) => (
            <NavLink
              key={href}
              component={Link}
              href={href}
              label={title}
              leftSection={<Icon width={18} />}
              active={isCurrent(href)}
              aria-current={isCurrent(href) ? 'page' : undefined}
              onClick={onNavigate}
              px={8}
              bdrs={6}
              className="nav-entry"
            />
          ))}
        </div>
      ))}
    </Stack>
  );
}

const SCHEMES = [
  { value: 'auto', label: 'System', icon: ComputerDesktopIcon },
  { value: 'light', label: 'Light', icon: SunIcon },
  { value: 'dark', label: 'Dark', icon: MoonIcon },
] as const;

/** The documentation for partners, where it is served. */
const docsUrl = document.querySelector<HTMLMetaElement>('meta[name=docs]')?.content;

interface PersonMenuProps {
  name: string;
  /** Under the name: the role, the company. */
  description: string;
  signOut: () => Promise<void>;
  /** Further `Menu.Item`s. */
  children?: ReactNode;
}

/** Who is signed in, the colour scheme, documentation and signing out. */
export function PersonMenu({ name, description, signOut, children }: PersonMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = () => signOut().catch((error: unknown) => notify(failureOf(error).message));
  return (
    <Menu position="bottom-end" width={230} shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton>
          <Group gap={8} wrap="nowrap">
            <Avatar size={30} color="ticket" name={name} aria-hidden />
            <Stack component="span" gap={0} maw={150} lh={1.25} className="desk-only">
              <Text span size="sm" fw={500} truncate>
                {name}
              </Text>
              <Text span size="xs" c="dimmed" truncate>
                {description}
              </Text>
            </Stack>
            <ChevronDownIcon width={14} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Color scheme</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(next) => setColorScheme(schemeOf(next))}>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon width={16} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {children}
        {docsUrl === undefined ? null : (
          <Menu.Item component="a" href={docsUrl} target="_blank" leftSection={<BookOpenIcon width={16} />}>
            Partner documentation
          </Menu.Item>
        )}
        <Menu.Item leftSection={<ArrowRightStartOnRectangleIcon width={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function schemeOf(value: string) {
  return SCHEMES.find((scheme) => scheme.value === value)?.value ?? 'auto';
}

/**
 * Reloads the page when somebody else has signed in in another tab of the browser: what one person typed must not be sent
 * in the name of another.
 * @param look asks the service again who is signed in
 */
export function useSamePerson(id: string, look: () => unknown): void {
  const first = useRef(id).current;
  useWindowEvent('focus', () => void look());
  useEffect(() => forgetDrafts(first), [first]);
  useEffect(() => {
    if (id !== first) window.location.reload();
  }, [id, first]);
}
