import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconChevronDown, IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { signOut } from '../address.ts';
import { failureOf } from '../data/failure.ts';
import { useViewer } from '../data/viewer.ts';
import { notify } from '../parts/undo.tsx';

const SCHEMES = [
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
] as const;

/** Who is signed in, how the console looks, and the way out. */
export function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const { viewer } = useViewer();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = () => signOut().catch((error: unknown) => notify(failureOf(error).message));
  return (
    <Menu position="bottom-end" width={230} shadow="md">
      <Menu.Target>
        <UnstyledButton className="person">
          <span className="person-initials" data-initials={initialsOf(viewer.name)} />
          <span className="person-name">
            <Text span size="sm" fw={500} truncate>
              {viewer.name}
            </Text>
            <Text span size="xs" c="dimmed">
              {viewer.role.toLowerCase()}
            </Text>
          </span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(next) => setColorScheme(schemeOf(next))}>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onHelp}>
          Keyboard shortcuts
        </Menu.Item>
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

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}
