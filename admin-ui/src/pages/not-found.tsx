import { Text } from '@mantine/core';
import { Page } from '../parts/page.tsx';
import { ViewLink } from '../parts/view-link.tsx';

/** An address without a view. */
export function NotFoundPage() {
  return (
    <Page title="There is no such view">
      <Text size="sm">
        The address may be mistyped or of an older release. Search with Ctrl K, or{' '}
        <ViewLink href="/" underline="always">
          begin at Home
        </ViewLink>
        .
      </Text>
    </Page>
  );
}
