/** Starts the login pages. The address names the session; the server checks that this browser started it. */
import { render } from 'preact';
import { createLoginApi } from './api.ts';
import { App } from './app.tsx';

const sessionId = new URLSearchParams(location.search).get('session_id') ?? '';
const root = document.querySelector('#app');
if (root !== null) render(<App api={createLoginApi(document.baseURI, sessionId)} sessionId={sessionId} />, root);
