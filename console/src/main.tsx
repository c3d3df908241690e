import './mantine';
import './style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { loadTranslator, preferredLanguage } from './i18n';
import { returnToPage } from './session';

const root = document.getElementById('root');
if (!root) {
  throw new Error('index.html has no element with the id root');
}
returnToPage('/console/');
const translator = await loadTranslator(preferredLanguage());
createRoot(root).render(
  <StrictMode>
    <App initial={translator} />
  </StrictMode>,
);
