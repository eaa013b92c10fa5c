/**
 * Names and roles that Scalar leaves out or gives twice, for screen readers. It draws its parts as they come into sight, so each is
 * looked at when it appears.
 * @see WCAG 2.2 §4.1.2
 */
export function mendRoles(): void {
  mend();
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
}

/** What a part lacks, by its selector: attributes to set, or (null) to take away. */
const MENDED: Readonly<Record<string, Record<string, string | null>>> = {
  // the main part is Scalar's, the banner the page's
  '#content': { role: 'region', 'aria-label': 'About the reference' },
  '#reference header, dialog header': { role: 'presentation' },
  'button.group\\/copy-button:not([aria-label])': { 'aria-label': 'Copy' },
  '[role=combobox]:not([aria-expanded])': { 'aria-expanded': 'false' },
  'button:is([role=none], [role=alert])': { role: null },
  // one for each operation, all of the same name
  '.response-card[role=region]': { role: 'group' },
  'section[aria-label^=Notifications]:not([role])': { role: 'group' },
};

function mend(): void {
  for (const [selector, attributes] of Object.entries(MENDED)) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes)) {
        if (value === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
    }
  }
}
