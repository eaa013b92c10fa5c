/** Starts the fans' portal. */
import { render } from 'preact';
import { createPortalApi } from './api.ts';
import { App } from './app.tsx';

const root = document.querySelector('#app');
if (root !== null) render(<App api={createPortalApi(document.baseURI)} />, root);
