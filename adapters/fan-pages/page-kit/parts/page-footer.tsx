import type { ComponentChildren } from 'preact';
import { pageOperator } from '../operator.ts';
import { useTexts } from '../texts/words.ts';

/** The end of a fan page: what belongs to its step, then the operator's links. Nothing where there is neither. */
export function PageFooter({ children }: { children?: ComponentChildren }) {
  const texts = useTexts().operator;
  const operator = pageOperator();
  const links = (['privacy', 'terms', 'help'] as const).flatMap((name) => {
    const href = operator[name];
    return href === undefined ? [] : [{ name, href }];
  });
  if (!children && links.length === 0) return null;
  return (
    <footer>
      {children}
      {links.length === 0 ? null : (
        <nav class="operator-links" aria-label={texts.links}>
          {links.map(({ name, href }) => (
            // opened beside this page: nothing that was begun here is lost
            <a key={name} href={href} target="_blank" rel="noreferrer">
              {texts[name]}
            </a>
          ))}
        </nav>
      )}
    </footer>
  );
}
