import { NavLink, Stack, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';

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
export function Sidebar({ groups, onNavigate }: SidebarProps) {
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
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
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
