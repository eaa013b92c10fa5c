/** Starts the fans' portal. */
import { render } from 'preact';

const root = document.querySelector('#app');
if (root !== null) render(<h1>Your apps</h1>, root);
