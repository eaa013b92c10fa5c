import { Group, Kbd, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useReturnedFocus } from '../../kit/parts/use-returned-focus.ts';

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
export function useSingleKeys() {
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
export function useShortcuts(on: boolean, openHelp: () => void): void {
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
export function ShortcutHelp({ singleKeys, onSingleKeys, onClose }: ShortcutHelpProps) {
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
