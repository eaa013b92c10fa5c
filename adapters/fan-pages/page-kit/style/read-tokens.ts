type Tokens = Readonly<Record<`--${string}`, string>>;

/**
 * The custom properties of `tokens.css` by colour scheme; `dark` has those that differ. The consoles get them in this way: their
 * scheme is a person's choice, that of the fan pages a media query.
 */
export function readTokens(css: string): { light: Tokens; dark: Tokens } {
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const of = (part: string): Tokens =>
    Object.fromEntries([...part.matchAll(/^ +(--[\w-]+): (.+);$/gm)].map(([, name, value]) => [name, value]));
  return { light: of(light), dark: of(dark) };
}
