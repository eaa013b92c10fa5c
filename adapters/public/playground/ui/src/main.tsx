/** Starts the playground: a partner's page that signs sandbox fans in and shows every call on the way to a sold ticket. */
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
