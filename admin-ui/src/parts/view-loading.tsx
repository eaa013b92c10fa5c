import { Skeleton, Stack } from '@mantine/core';

/** In place of a view whose script or data is on its way. */
export function ViewLoading() {
  return (
    <Stack gap="md" role="status" aria-label="Loading" aria-busy>
      <Skeleton height={26} width={220} />
      <Skeleton height={14} width={380} />
      <Skeleton height={220} mt="sm" />
    </Stack>
  );
}
