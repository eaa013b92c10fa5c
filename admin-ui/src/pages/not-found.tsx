import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Page } from '../parts/page.tsx';

/** An address without a view. */
export function NotFoundPage() {
  return (
    <Page title="There is no such view">
      <Text size="sm">
        The address may be mistyped or of an older release. Search with Ctrl K, or{' '}
        <Anchor component={Link} href="/" inherit underline="always">
          begin at Home
        </Anchor>
        .
      </Text>
    </Page>
  );
}
