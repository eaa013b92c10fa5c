import { useState } from 'preact/hooks';

type Props = { name: string; logo?: string | null };

/** A logo, or initials where there is none or it does not load. The name is always beside it. */
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

/** Up to two letters: `DM` for `Demo Marketplace`. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '');
  return letters.join('').toLocaleUpperCase() || '•';
}
