import { inUtc } from '../parts/moment.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';

export interface ShownLink {
  url: string;
  name: string;
  expiresAt: string;
}

/** A one-time sign-in link, shown this once. */
export function LinkShown({ link: { url, name, expiresAt }, onClose }: { link: ShownLink; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Sign-in link for ${name}`}
      secret={url}
      label="Link"
      advice={`It signs in as ${name}: give it to nobody else. It works once, until ${inUtc(expiresAt)}.`}
      onClose={onClose}
    />
  );
}
