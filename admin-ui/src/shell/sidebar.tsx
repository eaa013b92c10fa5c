import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useViewer } from '../data/viewer.ts';
import { NAVIGATION } from './navigation.ts';

/** All views in groups; the current one is marked, also on the pages below it. */
export function Sidebar({ onNavigate }: { onNavigate: () => void }) {
  const [location] = useLocation();
  const { has } = useViewer();
  const isCurrent = (href: string) =>
    href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);
  return (
    <Stack gap="md" component="nav" aria-label="Views">
      {NAVIGATION.map((group) => (
        <div key={group.title}>
          <Text size="xs" c="dimmed" fw={600} px="xs" pb={2}>
            {group.title}
          </Text>
          {group.entries
            .filter(({ right }) => right === undefined || has(right))
            .map(({ title, href, icon: Icon }) => (
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
                py={6}
                bdrs={6}
                className="nav-entry"
              />
            ))}
        </div>
      ))}
    </Stack>
  );
}
