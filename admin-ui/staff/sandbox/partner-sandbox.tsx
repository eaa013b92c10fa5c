import { Group } from '@mantine/core';
import { LinkButton } from '../../kit/parts/view-link.tsx';

/** From a partner to its test data. */
export function PartnerSandbox({ partnerId }: { partnerId: string }) {
  const links = {
    'Test users': `/test-users?partner=${partnerId}`,
    'Test events': `/test-events?partner=${partnerId}`,
    Permits: `/permits?partner=${partnerId}`,
    'Reset sandbox': `/partners/${partnerId}/reset-sandbox`,
  };
  return (
    <Group gap="xs" component="nav" aria-label="Partner sandbox">
      {Object.entries(links).map(([title, href]) => (
        <LinkButton key={href} href={href} size="xs">
          {title}
        </LinkButton>
      ))}
    </Group>
  );
}
