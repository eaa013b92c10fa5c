import { Avatar, Group, Menu, Stack, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconBook, IconChevronDown, IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { failureOf } from '../data/failure.ts';
import { notify } from '../parts/undo.tsx';

const SCHEMES = [
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
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
            <IconChevronDown size={14} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Color scheme</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(next) => setColorScheme(schemeOf(next))}>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {children}
        {docsUrl === undefined ? null : (
          <Menu.Item component="a" href={docsUrl} target="_blank" leftSection={<IconBook size={16} aria-hidden />}>
            Partner documentation
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function schemeOf(value: string) {
  return SCHEMES.find((scheme) => scheme.value === value)?.value ?? 'auto';
}
