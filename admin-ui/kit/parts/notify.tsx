import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { failureOf } from '../data/call.ts';

/** Shows a notification. */
export function notify(message: string): void {
  notifications.show({ message, withBorder: true, autoClose: 5_000 });
}

/** Shows a notification with an Undo button. @param undo what it throws is shown */
export function notifyWithUndo(message: string, undo: () => Promise<unknown>): void {
  const id = crypto.randomUUID();
  const runUndo = async () => {
    notifications.update({ id, message: 'Undoing…', loading: true, autoClose: false, withBorder: true });
    try {
      await undo();
      notifications.update({ id, message: 'Undone.', loading: false, autoClose: 4_000, withBorder: true });
    } catch (error) {
      const text = `That could not be undone. ${failureOf(error).message}`;
      notifications.update({ id, message: text, color: 'red', loading: false, autoClose: false, withBorder: true });
    }
  };
  notifications.show({
    id,
    withBorder: true,
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" onClick={() => void runUndo()}>
          Undo
        </Button>
      </Group>
    ),
  });
}
