/**
 * The characters allowed in names and other texts that people read, so that no text can pass for another one. The properties of
 * characters are the engine's Unicode data: no maintained library has the rules of UTS 39.
 *
 * @module
 */

/** The viramas of Indic scripts: beside one, a joiner changes how letters are drawn. */
const VIRAMAS = '\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA';
/** Where a joiner changes what is seen: beside a virama, and between Arabic letters. @see RFC 5892 appendix A, UAX 31 §2.3 */
const JOINERS = new RegExp(
  `(?<=[${VIRAMAS}])[\u200C\u200D]|\u200D(?=[${VIRAMAS}])|(?<=\\p{scx=Arabic})\u200C(?=\\p{scx=Arabic})`,
  'gu',
);
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** More than four marks on a letter, the same mark twice, or a mark without a letter. @see UTS 39 §5.4 */
const STACKED_MARKS = /[\p{Mn}\p{Me}]{5}|(\p{Mn})\1|(?:^|\s)\p{M}/u;

/**
 * UTS 39 §5.2, "Highly Restrictive", for each word: one script in everyday use (UAX 31 table 5), or Latin with those of Japanese, Chinese
 * and Korean. Also Latin with scripts that have no spaces between words.
 */
const SCRIPTS_OF_A_WORD = [
  'Latin Han Hiragana Katakana',
  'Latin Han Bopomofo',
  'Latin Han Hangul',
  ...['Khmer', 'Lao', 'Myanmar', 'Thai'].map((script) => `Latin ${script}`),
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
    'Gurmukhi',
  ],
  ...['Hebrew', 'Kannada', 'Malayalam', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Tibetan'],
].map((scripts) => {
  const letters = ['Common', 'Inherited', ...scripts.split(' ')].map((script) => `\\p{scx=${script}}`);
  return new RegExp(`^[${letters.join('')}]*$`, 'u');
});

/** The fault of a name that somebody chose for themselves, continuing "name …"; undefined for a valid one. */
export function nameFault(name: string): string | undefined {
  if (name.trim().length < 1 || name.length > 120) return 'must have 1 to 120 characters';
  return textFault(name) ?? scriptFault(name);
}

/** The fault of the characters of a text that people read, such as an event's name. Continues a sentence. */
export function textFault(text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'must have no control characters';
  // matching emoji is slow, and few names have any
  const plain = INVISIBLE.test(text) ? text.replace(/\p{RGI_Emoji}/gv, ' ').replace(JOINERS, '') : text;
  const invisible = INVISIBLE.exec(plain);
  if (invisible) return `must have no invisible characters (${codePointOf(invisible[0])})`;
  return STACKED_MARKS.test(plain.normalize('NFD'))
    ? 'must have no stacked marks, and none without a letter'
    : undefined;
}

/** `U+202E` */
export function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function scriptFault(name: string): string | undefined {
  // letters of other shapes count as the letters that they look like: 𝐏 as P
  const words = name.replace(/\p{L}/gu, (letter) => letter.normalize('NFKC')).split(/[^\p{L}\p{M}\p{N}]+/u);
  const odd = words.find((word) => !SCRIPTS_OF_A_WORD.some((scripts) => scripts.test(word)));
  return odd && `has letters of several scripts, or of one that is not in everyday use, in one word (${odd})`;
}
