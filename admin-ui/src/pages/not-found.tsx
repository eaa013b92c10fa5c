import { Text } from '@mantine/core';
import { Page } from '../parts/page.tsx';
import { ViewLink } from '../parts/view-link.tsx';

/** An address without a view. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Text size="sm">
        Check the address, search with Ctrl K, or{' '}
        <ViewLink href="/" underline="always">
          go to Home
        </ViewLink>
        .
      </Text>
    </Page>
  );
}
