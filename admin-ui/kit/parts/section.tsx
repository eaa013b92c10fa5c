import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** One of several that may have the same title: no landmark. */
  isEntry?: boolean;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a view with a heading of its own. */
export function Section({ title, isEntry = false, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component={isEntry ? 'article' : 'section'} aria-labelledby={id} withBorder p="md" radius="md">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2}>
            <Title order={2} id={id}>
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" size="sm">
                {description}
              </Text>
            )}
          </Stack>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
