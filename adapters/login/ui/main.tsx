/** Starts the login pages. The session's id comes in the address; whether it is this browser's, the server decides. */
import { render } from 'preact';
import { createLoginApi } from './api.ts';
import { App } from './app.tsx';

const sessionId = new URLSearchParams(location.search).get('session_id') ?? '';
const root = document.querySelector('#app');
if (root !== null) render(<App api={createLoginApi(document.baseURI, sessionId)} sessionId={sessionId} />, root);
