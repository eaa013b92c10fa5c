import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './style/activity.css';
import './style/charts.css';
import './style/console.css';
import './style/lists.css';
import './style/parts.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

// the content security policy allows style elements only with this nonce
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// where react-remove-scroll reads it
Object.assign(globalThis, { __webpack_nonce__: nonce });

const place = document.getElementById('app');
if (!place) throw new Error('the page has no place for the console');
createRoot(place).render(<App nonce={nonce} />);
