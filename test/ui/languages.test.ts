import { expect, test } from 'vitest';
import { usableLanguages } from '../../adapters/login/ui/languages.ts';

test('language tags of the operating system are made usable, and those that are none are left out', () => {
  expect(usableLanguages(['en-US@posix', 'de_DE.UTF-8', 'C!', 'fr'])).toEqual(['en-US', 'de-DE', 'fr']);
});
