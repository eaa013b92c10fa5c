import { mountApplication } from '../../console-kit/application.tsx';
import { App } from './app.tsx';

mountApplication(<App />, 'X-Console');
