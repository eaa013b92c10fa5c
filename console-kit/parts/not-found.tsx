import { Text } from '@mantine/core';
import { Page } from './page.tsx';
import { ViewLink } from './view-link.tsx';

/** An address without a view. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Text size="sm">
        Check the address, use the search, or{' '}
        <ViewLink href="/" underline="always">
          go to Home
        </ViewLink>
        .
      </Text>
    </Page>
  );
}
