/** Starts the playground: a partner's page that signs a sandbox fan in and lists the fan's tickets. */
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
