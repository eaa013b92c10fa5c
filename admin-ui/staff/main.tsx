import { mountApplication } from '../kit/application.tsx';
import { App } from './app.tsx';

mountApplication(<App />, 'X-Console');
