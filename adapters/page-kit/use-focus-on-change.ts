import { useEffect, useRef } from 'preact/hooks';

/**
 * Moves the focus when one screen replaces another: to the field marked `data-focus-first`, else to the heading, so that
 * a keyboard or a screen reader goes on where the new content starts. The first screen is left to the browser.
 * @param screen names what is shown; undefined or `loading` while nothing is
 */
export function useFocusOnChange(screen: string | undefined): void {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (screen === undefined || screen === 'loading') return;
    if (last.current !== undefined && last.current !== screen) {
      const first = document.querySelector<HTMLElement>('[data-focus-first]');
      (first ?? document.querySelector('h1'))?.focus();
    }
    last.current = screen;
  }, [screen]);
}
