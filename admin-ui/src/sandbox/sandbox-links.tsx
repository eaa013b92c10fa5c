import { Button } from '@mantine/core';
import { Link } from 'wouter';

/** From a list that is narrowed to a partner to what can be done with its whole sandbox. */
export function SandboxLinks({ partnerId }: { partnerId: string }) {
  if (partnerId === '') return null;
  return (
    <Button component={Link} href={`/partners/${partnerId}/reset-sandbox`} variant="default">
      Reset sandbox
    </Button>
  );
}
