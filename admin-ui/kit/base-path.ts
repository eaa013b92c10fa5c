/** The path at which the application is served, without a trailing slash, from the page's `<base>`. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/$/, '');
