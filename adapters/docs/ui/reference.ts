/** Where the playground of this tab keeps its tokens. */
const TOKENS_KEY = 'playground.tokens';

interface Scalar {
  createApiReference(element: Element, configuration: object): unknown;
}

/** Shows the API description with Scalar. Calls go straight to the API, with the token of the playground where this tab has one. */
export async function showReference(): Promise<void> {
  const place = document.querySelector<HTMLElement>('article');
  const folder = document.body.dataset.reference;
  const description = document.querySelector<HTMLMetaElement>('meta[name=openapi]')?.content;
  if (!place || folder === undefined || description === undefined) return;
  const url = new URL(`${folder}/standalone.esm.js`, document.baseURI).href;
  const { createApiReference } = (await import(/* @vite-ignore */ url)) as Scalar;
  const element = document.createElement('div');
  element.className = 'reference';
  place.append(element);
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  createApiReference(element, {
    url: description,
    layout: 'modern',
    showSidebar: false,
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideModels: false,
    hideDarkModeToggle: true,
    forceDarkModeState: dark ? 'dark' : 'light',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'direct',
    authentication: {
      preferredSecurityScheme: 'oauth2',
      securitySchemes: { oauth2: { flows: { authorizationCode: { token: playgroundToken() } } } },
    },
  });
}

function playgroundToken(): string {
  try {
    const stored = JSON.parse(sessionStorage.getItem(TOKENS_KEY) ?? '{}') as { accessToken?: string };
    return stored.accessToken ?? '';
  } catch {
    return '';
  }
}
