const LANGUAGE_KEY = 'docs.language';

/** Turns the groups of code blocks into tabs. All groups show the language that was chosen last. @see WAI-ARIA APG, Tabs */
export function makeTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeGroup);
  const chosen = localStorage.getItem(LANGUAGE_KEY);
  const showAll = (name: string) => {
    localStorage.setItem(LANGUAGE_KEY, name);
    for (const show of groups) show(name);
  };
  for (const show of groups) show(chosen ?? '');
  document.addEventListener('choose-language', (event) => showAll((event as CustomEvent<string>).detail));
}

/** @returns shows the block of a language, or the first one where there is none */
function makeGroup(group: HTMLElement, position: number): (name: string) => void {
  const panels = [...group.querySelectorAll<HTMLElement>('[data-tab]')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${position}-${index}`;
    tab.textContent = panel.dataset.tab ?? '';
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${position}-${index}`;
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(tab));
    return tab;
  });
  const choose = (tab: HTMLElement) => {
    // the page must not move below the pointer while other groups change
    const top = tab.getBoundingClientRect().top;
    document.dispatchEvent(new CustomEvent('choose-language', { detail: tab.textContent }));
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
  };
  list.addEventListener('keydown', ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    next.focus();
    choose(next);
  });
  list.append(...tabs);
  group.prepend(list);
  group.classList.add('ready');
  return (name) => {
    const found = panels.findIndex((panel) => panel.dataset.tab === name);
    const shown = Math.max(0, found);
    panels.forEach((panel, index) => {
      panel.hidden = index !== shown;
      tabs[index]?.setAttribute('aria-selected', String(index === shown));
      tabs[index]?.setAttribute('tabindex', index === shown ? '0' : '-1');
    });
  };
}

/** Every code block gets a button that copies it as it is shown, with the reader's own values. */
export function addCopyButtons(): void {
  const said = document.querySelector('.said');
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('code');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button small copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const isCopied = await copy(code?.textContent ?? '');
      button.textContent = isCopied ? 'Copied' : 'Select the text';
      if (said) said.textContent = isCopied ? 'The code is copied.' : 'The browser does not allow it: select the text.';
      setTimeout(() => {
        button.textContent = 'Copy';
        if (said) said.textContent = '';
      }, 2_000);
    });
    block.append(button);
  }
}

/** Over plain http browsers have no clipboard, except on localhost. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
