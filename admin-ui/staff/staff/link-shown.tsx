import { inUtc } from '../../kit/parts/moment.tsx';
import { ShownOnce } from '../../kit/parts/shown-once.tsx';

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
      advice={`Anyone with this link can sign in as ${name}, so share it only with them. It works once, until ${inUtc(expiresAt)}.`}
      onClose={onClose}
    />
  );
}
