import { Paper } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';
import { LinkButton } from './view-link.tsx';

/** An address without a view. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Paper withBorder>
        <EmptyState
          icon={<IconMapPinOff />}
          title="There is no page at this address"
          actions={<LinkButton href="/">Open the first page</LinkButton>}
        >
          Check the address, or choose a page in the menu.
        </EmptyState>
      </Paper>
    </Page>
  );
}
