import { addCopyButtons, makeTabs } from './code-blocks.ts';
import { openSearch } from './search.ts';

/** What the documentation does in the browser. Without it the pages can be read as they are. */

const KEY = 'docs.client_id';
const CLIENT_ID = /^client_[0-9a-z]{26}$/;

fillClientId();
makeTabs();
addCopyButtons();
prepareMenu();
openSearch();
// another file, because only one page needs it
if (document.body.dataset.page === 'reference')
  void import('./reference.ts').then(({ showReference }) => showReference());

function prepareMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu');
  const menu = document.querySelector<HTMLElement>('#nav');
  const toggle = (isOpen: boolean) => {
    menu?.classList.toggle('open', isOpen);
    button?.setAttribute('aria-expanded', String(isOpen));
  };
  const isOpen = () => menu?.classList.contains('open') === true;
  button?.addEventListener('click', () => toggle(!isOpen()));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return;
    toggle(false);
    button?.focus();
  });
  // closed when the focus leaves it: it would cover the focused element
  menu?.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && relatedTarget !== button && !menu.contains(relatedTarget)) toggle(false);
  });
}

/**
 * Fills the reader's client ID into the code samples: one in the address (`?client_id=`), otherwise the one of the last visit. The
 * server has filled in that of the starter kit, where there is one.
 */
function fillClientId(): void {
  const places = document.querySelectorAll<HTMLElement>('[data-fill=client_id]');
  const given = new URLSearchParams(location.search).get('client_id') ?? '';
  if (CLIENT_ID.test(given)) localStorage.setItem(KEY, given);
  const known = localStorage.getItem(KEY);
  if (known !== null) fill(places, known);
  const field = document.querySelector<HTMLInputElement>('#client-id');
  if (field === null || places.length === 0) return;
  const served = places[0]?.dataset.served ?? places[0]?.textContent ?? '';
  field.value = known ?? (CLIENT_ID.test(served) ? served : '');
  field.parentElement?.removeAttribute('hidden');
  field.addEventListener('input', () => {
    const value = field.value.trim();
    const isValid = CLIENT_ID.test(value);
    field.setAttribute('aria-invalid', String(value !== '' && !isValid));
    if (isValid) localStorage.setItem(KEY, value);
    else if (value === '') localStorage.removeItem(KEY);
    if (isValid || value === '') fill(places, value === '' ? served : value);
  });
}

function fill(places: NodeListOf<HTMLElement>, clientId: string): void {
  for (const place of places) {
    place.dataset.served ??= place.textContent;
    place.textContent = clientId;
  }
}
