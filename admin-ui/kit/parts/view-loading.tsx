import { Skeleton, Stack } from '@mantine/core';

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
