import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';

/** From a partner to its test data. */
export function PartnerSandbox({ partnerId }: { partnerId: string }) {
  const links = [
    { title: 'Test users', href: `/test-users?partner=${partnerId}` },
    { title: 'Test events', href: `/test-events?partner=${partnerId}` },
    { title: 'Permits', href: `/permits?partner=${partnerId}` },
    { title: 'Reset sandbox', href: `/partners/${partnerId}/reset-sandbox` },
  ];
  return (
    <Group gap="xs" component="nav" aria-label="Sandbox of the partner">
      {links.map(({ title, href }) => (
        <Button key={href} component={Link} href={href} size="xs" variant="default">
          {title}
        </Button>
      ))}
    </Group>
  );
}
