/** What the documentation does in the browser. Without it the pages can be read as they are. */
import { fillClientId } from './client-id.ts';
import { addCopyButtons, makeTabs } from './code-blocks.ts';
import { openSearch } from './search.ts';

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
  // where the focus goes on beyond it, it would cover the focused element
  menu?.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && relatedTarget !== button && !menu.contains(relatedTarget)) toggle(false);
  });
}
