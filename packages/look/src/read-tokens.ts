type Tokens = Readonly<Record<`--${string}`, string>>;

/**
 * The custom properties of `tokens.css` by colour scheme; `dark` has those that differ. The consoles read them because a person
 * chooses the scheme there; the fan pages use a media query.
 */
export function readTokens(css: string): { light: Tokens; dark: Tokens } {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const of = (part: string): Tokens =>
    Object.fromEntries([...part.matchAll(/^ +(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]));
  return { light: of(light), dark: of(dark) };
}
