import { Text } from '@mantine/core';
import { inUtc } from '../../kit/parts/moment.tsx';
import { ShownOnce } from '../../kit/parts/shown-once.tsx';

export const TOKEN_DAYS = [30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

export interface ShownToken {
  /** Of the account. */
  name: string;
  value: string;
  expiresAt: string;
}

/** The value of a new token, which can't be read again. */
export function TokenShown({ token: { name, value, expiresAt }, onClose }: { token: ShownToken; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Token of ${name}`}
      secret={value}
      label="Token"
      advice={`Store it like a password. Anyone who has it can act as ${name} until ${inUtc(expiresAt)}, or until the account is disabled.`}
      onClose={onClose}
    >
      <Text size="sm">
        Send it as <code>Authorization: Bearer sv_…</code>, or give it to <code>npm run inventory</code> as{' '}
        <code>INVENTORY_TOKEN</code>.
      </Text>
    </ShownOnce>
  );
}
