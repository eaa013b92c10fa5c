import { useEffect, useState } from 'react';

/** Where the focus was before the first of the dialogs that follow each other. */
let beforeAll: Element | null = null;

/**
 * Gives the focus back when a dialog closes: to where it was, or to the title of the view where that is gone. Mantine does so only for
 * dialogs that stay mounted.
 * @see WCAG 2.2 §2.4.3
 */
export function useReturnedFocus(): void {
  const [places] = useState(() => {
    const { activeElement, body } = document;
    const before = activeElement === body ? null : activeElement;
    // the button of a dialog may have lost it meanwhile
    if (document.querySelector('[role=dialog]') === null) beforeAll = before;
    return [before, beforeAll];
  });
  useEffect(
    () => () => {
      // after the dialog is gone, and before the next one takes the focus
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        if (places.every((each) => each === null)) return;
        const place = places.find((each) => each?.isConnected) ?? document.querySelector('#view h1');
        if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      });
    },
    [places],
  );
}
