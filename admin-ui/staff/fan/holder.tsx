import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

interface HolderProps {
  of: { id: string; phone: string; testUser?: { phone: string } | null } | null;
}

/** A fan in a row: the phone, masked unless it is a test number, as a link to the fan's page. */
export function Holder({ of: fan }: HolderProps) {
  if (fan === null) return <span className="aside">an unknown wallet</span>;
  return (
    <Anchor component={Link} href={`/fans/${fan.id}`} size="sm" className="one-line">
      {fan.testUser?.phone ?? fan.phone}
    </Anchor>
  );
}
