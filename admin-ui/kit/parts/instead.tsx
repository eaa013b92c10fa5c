import { ArrowPathIcon, ExclamationTriangleIcon, QuestionMarkCircleIcon } from '@heroicons/react/24/outline';
import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ResultOf, VariablesOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Document, Failure } from '../data/call.ts';
import { useView, type View } from '../data/view.ts';
import { LinkButton, Page } from './page.tsx';
import { CopyText } from './text.tsx';

/**
 * What the page of one thing shows. `instead` takes its place while it is read, and where it can't be read or found.
 * @param name in "The client could not be read"
 */
export function findIn<Data, Found>(
  view: View & { data: Data | undefined },
  name: string,
  pick: (data: Data) => Found | null,
): { found: Found | null; instead: ReactNode } {
  const { data, error, refetch } = view;
  if (error && data === undefined) {
    const instead = (
      <Page title={`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}>
        <FailureAlert failure={error} title={`The ${name} could not be read`} retry={refetch} />
      </Page>
    );
    return { found: null, instead };
  }
  if (data === undefined || view.isPlaceholderData) return { found: null, instead: <ViewLoading /> };
  return { found: pick(data), instead: <NotFoundPage /> };
}

/** As `findIn`, for what the address names: `/claims/:id`. */
export function useNamed<D extends Document, Found>(
  name: string,
  document: D,
  pick: (data: ResultOf<D>) => Found | null,
  options: { refetchInterval?: number } = {},
) {
  const { id } = useParams<{ id: string }>();
  const view = useView(name, document, { id } as VariablesOf<D>, options);
  return { id, view, ...findIn(view, name, pick) };
}

interface FailureAlertProps {
  failure: Failure | null;
  title?: string;
  /** Where asking again may help. */
  retry?: () => unknown;
}

/** A failure, shown where it happened; nothing for null. */
export function FailureAlert({ failure, title = 'That did not work', retry }: FailureAlertProps) {
  // without a session there is the sign-in page; a fresh sign-in has a dialog
  if (!failure || failure.code === 'sign_in_required') return null;
  return (
    <ProblemAlert title={title}>
      <Stack gap="xs">
        <Text size="sm">{failure.message}</Text>
        {(retry || failure.requestId) && (
          <Group gap="sm">
            {retry && (
              <Button size="xs" variant="default" leftSection={<ArrowPathIcon width={14} />} onClick={() => retry()}>
                Try again
              </Button>
            )}
            {failure.requestId && <CopyText labelled label="Request" text={failure.requestId} />}
          </Group>
        )}
      </Stack>
    </ProblemAlert>
  );
}

interface ProblemAlertProps {
  title: string;
  icon?: ReactNode;
  children: ReactNode;
}

/** A problem with what the view shows. */
export function ProblemAlert({ icon = <ExclamationTriangleIcon />, ...props }: ProblemAlertProps) {
  return <Alert color="red" variant="light" icon={icon} {...props} />;
}

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

/** An address without a view. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Paper withBorder>
        <EmptyState
          icon={<QuestionMarkCircleIcon />}
          title="There is no page at this address"
          actions={<LinkButton href="/">Open the first page</LinkButton>}
        >
          Check the address, or choose a page in the menu.
        </EmptyState>
      </Paper>
    </Page>
  );
}

/** Placeholder while a view's script or data loads. */
export function ViewLoading() {
  return (
    <Stack gap="md" role="status" aria-label="Loading" aria-busy>
      <Skeleton height={26} width={220} />
      <Skeleton height={14} width={380} maw="100%" />
      <Skeleton height={220} mt="sm" />
    </Stack>
  );
}

interface WaitingProps {
  view: View & { data: unknown };
  /** Where it could not be read: "The keys could not be loaded". */
  title: string;
}

/** Above what a view shows: why it could not be read, or that it is being read. */
export function Waiting({ view: { data, error, refetch }, title }: WaitingProps) {
  return (
    <>
      <FailureAlert failure={error} title={title} retry={refetch} />
      {data === undefined && error === null && <ViewLoading />}
    </>
  );
}
