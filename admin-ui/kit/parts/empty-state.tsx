import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What belongs here and how it gets here. */
  children: ReactNode;
  actions?: ReactNode;
}

/** Shown instead of a list without rows: what it is for and what to do next. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" className="empty-state">
      <span className="empty-icon" aria-hidden>
        {icon}
      </span>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text size="sm" c="dimmed" maw={460} component="div">
        {children}
      </Text>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Stack>
  );
}
