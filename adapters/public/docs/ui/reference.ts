import { storedAccessToken } from '../../playground/ui/src/stored-state.ts';

interface Scalar {
  createApiReference(element: Element, configuration: object): unknown;
}

interface Operation {
  description?: string;
  security?: Record<string, string[]>[];
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, object> };
}

/** Shows the API description with Scalar. Calls go straight to the API, with the token of the playground where this tab has one. */
export async function showReference(): Promise<void> {
  const place = document.querySelector('#reference');
  const folder = document.body.dataset.reference;
  const address = document.querySelector<HTMLMetaElement>('meta[name=openapi]')?.content;
  if (!place || folder === undefined || address === undefined) return;
  giveNonces();
  const state = document.createElement('p');
  state.className = 'state';
  state.setAttribute('role', 'status');
  state.textContent = 'Loading the operations…';
  place.before(state);
  try {
    await show(place, folder, address);
    state.remove();
  } catch (error) {
    console.error(error);
    state.setAttribute('role', 'alert');
    state.replaceChildren('The operations could not be loaded. ', reloadLink());
  }
}

function reloadLink(): HTMLElement {
  return Object.assign(document.createElement('a'), { href: location.href, textContent: 'Load the page again' });
}

async function show(place: Element, folder: string, address: string): Promise<void> {
  const script = new URL(`${folder}/standalone.esm.js`, document.baseURI).href;
  const [{ createApiReference }, description] = await Promise.all([
    import(/* @vite-ignore */ script) as Promise<Scalar>,
    fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
      return answer.json() as Promise<Description>;
    }),
  ]);
  mendRoles();
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  createApiReference(place, {
    content: withTokenField(description),
    layout: 'modern',
    showSidebar: false,
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideSearch: true,
    hideDarkModeToggle: true,
    forceDarkModeState: dark ? 'dark' : 'light',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    authentication: {
      preferredSecurityScheme: TOKEN,
      securitySchemes: { [TOKEN]: { token: storedAccessToken() } },
    },
  });
}

/** Not all of Scalar's parts set the nonce that the policy of this page requires on each style element. */
function giveNonces(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.content ?? '';
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}

const TOKEN = 'accessToken';

/** Scalar cannot sign a fan in, because its address is no redirect URI of the reader's client: it asks for a token instead. */
function withTokenField(description: Description): Description {
  const { paths, components } = description;
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const scopes = operation.security?.flatMap(({ oauth2 }) => oauth2 ?? []) ?? [];
    if (scopes.length === 0) continue;
    operation.description = `${operation.description ?? ''}\n\nNeeds the scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
    operation.security = [{ [TOKEN]: [] }];
  }
  const { oauth2: _, ...others } = components.securitySchemes;
  components.securitySchemes = {
    ...others,
    [TOKEN]: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token of the sandbox, from the playground or the samples.',
    },
  };
  return description;
}

/**
 * Names and roles that Scalar leaves out or gives twice, for screen readers. It draws its parts as they come into sight, so each is
 * looked at when it appears.
 * @see WCAG 2.2 §4.1.2
 */
function mendRoles(): void {
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
