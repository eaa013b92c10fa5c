import { Text } from '@mantine/core';
import { inUtc } from '../parts/moment.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';

export interface ShownToken {
  name: string;
  value: string;
  expiresAt: string;
}

/** The value of a new token, which nobody can read again. */
export function TokenShown({ token: { name, value, expiresAt }, onClose }: { token: ShownToken; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Token ${name}`}
      secret={value}
      label="Token"
      advice={`Put it where secrets are kept. Whoever has it acts as you, within its rights, until ${inUtc(expiresAt)} or until you revoke it.`}
      onClose={onClose}
    >
      <Text size="sm">
        Send it as <code>Authorization: Bearer st_…</code>, or give it to <code>npm run admin</code> as{' '}
        <code>ADMIN_TOKEN</code>.
      </Text>
    </ShownOnce>
  );
}
