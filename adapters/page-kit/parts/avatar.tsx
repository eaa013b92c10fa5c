import { useState } from 'preact/hooks';
import { initialsOf } from './initials.ts';

type Props = {
  name: string;
  /** Its address; nothing where there is none. */
  logo: string | null | undefined;
};

/** A partner's logo, or initials where it has none or the picture does not load. The name is always beside it. */
export function Avatar({ name, logo }: Props) {
  const [broken, setBroken] = useState<string>();
  if (logo && logo !== broken) {
    return <img class="avatar logo" src={logo} alt="" onError={() => setBroken(logo)} />;
  }
  return (
    <span class="avatar" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
