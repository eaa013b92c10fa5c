import { Text } from '@mantine/core';

interface ToldProps {
  message: string | null;
  fix: string | null;
}

/** What the caller of a refused request was told, and what the caller does about it. */
export function Told({ message, fix }: ToldProps) {
  if (message === null && fix === null) return null;
  return (
    <div className="told">
      {message !== null && (
        <Text size="sm" component="p">
          <span className="visually-hidden">Answer: </span>
          <q>{message}</q>
        </Text>
      )}
      {fix !== null && (
        <Text size="sm" component="p" c="dimmed">
          <strong>What to do:</strong> {fix}
        </Text>
      )}
    </div>
  );
}
