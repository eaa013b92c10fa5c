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
  button?.addEventListener('click', () => {
    const isOpen = menu?.classList.toggle('open') === true;
    button.setAttribute('aria-expanded', String(isOpen));
  });
}
