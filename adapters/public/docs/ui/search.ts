import MiniSearch, { type Options } from 'minisearch';

interface Found {
  href: string;
  page: string;
  heading: string;
  text: string;
  /** The words of the index that matched, in lower case. */
  terms: string[];
}

const MOST_SHOWN = 12;

/** The search: opened by its button or by `/`, with an index that is loaded then. @see WAI-ARIA APG, Combobox */
export function openSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search');
  const button = document.querySelector<HTMLButtonElement>('.search-button');
  const field = dialog?.querySelector<HTMLInputElement>('input[type=search]');
  const list = dialog?.querySelector<HTMLElement>('#results');
  const count = dialog?.querySelector<HTMLElement>('.count');
  if (!dialog || !button || !field || !list || !count) return;
  let index: Promise<MiniSearch> | undefined;
  const open = () => {
    index ??= loadIndex();
    dialog.showModal();
    field.focus();
    field.select();
  };
  button.hidden = false;
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || dialog.open) return;
    event.preventDefault();
    open();
  });
  // a click beside it
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  let active = -1;
  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const setActive = (next: number) => {
    const all = options();
    active = all.length === 0 ? -1 : (next + all.length) % all.length;
    all.forEach((option, position) => {
      option.setAttribute('aria-selected', String(position === active));
    });
    all[active]?.scrollIntoView({ block: 'nearest' });
    if (active < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `found-${active}`);
  };
  const show = async () => {
    const wanted = field.value.trim();
    const found = wanted === '' ? [] : (await (index ?? loadIndex())).search(wanted).slice(0, MOST_SHOWN);
    if (wanted !== field.value.trim()) return;
    list.replaceChildren(...found.map((each, position) => optionOf(each as unknown as Found, position)));
    field.setAttribute('aria-expanded', String(found.length > 0));
    count.textContent =
      wanted === '' ? '' : found.length === 0 ? `Nothing found for “${wanted}”.` : `${found.length} found`;
    setActive(found.length > 0 ? 0 : -1);
  };
  field.addEventListener('input', () => void show());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      options()[active]?.click();
    }
  });
  list.addEventListener('click', () => dialog.close());
}

/** A link that the field's arrow keys choose: the field keeps the focus. */
function optionOf({ href, page, heading, text, terms }: Found, position: number): HTMLElement {
  const option = document.createElement('a');
  option.id = `found-${position}`;
  option.href = href;
  option.tabIndex = -1;
  option.setAttribute('role', 'option');
  const where = document.createElement('small');
  where.textContent = page === heading ? '' : page;
  option.append(heading, where, sentenceOf(text, terms));
  return option;
}

/** The sentence with most of the words, which are marked. */
function sentenceOf(text: string, terms: string[]): HTMLElement {
  const line = document.createElement('span');
  const marked = new RegExp(`(?<![\\p{L}\\p{N}_])(${terms.map(escaped).join('|')})`, 'giu');
  const sentences = text.split(/(?<=[.:!?])\s+/).map((sentence) => sentence.trim());
  const matches = (sentence: string) => new Set(sentence.toLowerCase().match(marked)).size;
  const [best = ''] = sentences.toSorted((one, other) => matches(other) - matches(one));
  if (matches(best) === 0) return line;
  for (const [index, part] of best.split(marked).entries()) {
    if (index % 2 === 0) line.append(part);
    else line.append(Object.assign(document.createElement('mark'), { textContent: part }));
  }
  return line;
}

const escaped = (term: string): string => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function loadIndex(): Promise<MiniSearch> {
  const answer = await fetch(new URL(document.body.dataset.search ?? '', document.baseURI));
  const { options, index } = (await answer.json()) as {
    options: Options;
    index: Parameters<typeof MiniSearch.loadJS>[0];
  };
  return MiniSearch.loadJS(index, options);
}
