import { expect, test } from 'vitest';
import { completeMessages, loadTranslator } from './i18n';
import { warningText } from './warningText';

test('the sentences of a warning are in the language of the page', async () => {
  const translator = await loadTranslator('de');
  await completeMessages();
  const warning =
    'this is an outline, not a finished text: configure a text model for one; ' +
    'ignored without a text model: voice_profile_id, model; something new';
  expect(warningText(translator, warning)).toBe(
    'Das ist eine Gliederung und kein fertiger Text; den schreibt ein Textmodell. ' +
      'Ohne Textmodell bleibt ohne Wirkung: Stimme, Modell. something new',
  );
  expect(
    warningText(translator, 'draft drf_1 is under embargo until 2027-02-02T09:30:00Z'),
  ).toMatch(/^Der Entwurf drf_1 hat eine Sperrfrist bis 02\.02\.2027/);
});
