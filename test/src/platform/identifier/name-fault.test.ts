import { describe, expect, it } from 'vitest';
import { parseRow } from '../../../../src/inventory/parse-row.ts';
import { nameFault, textFault } from '../../../../src/platform/identifier/name-fault.ts';

describe('UTS 39: names that fans read', () => {
  it.each([
    'Resale Ltd & Sons, №1',
    'Mötley Crüe',
    'Trần Thị Ánh Nguyệt',
    'بیت‌الموسیقى',
    'شركة تذاكر الرياض (Riyadh)',
    'חברת כרטיסים בע״מ',
    'מוּסִיקָה',
    'हिन्दी क्‍षेत्र टिकट',
    'শ্রীর‍্যাম',
    'ශ්‍රී ලංකා',
    'ขายบัตรBNK48',
    'ນ້ຳ ບັດ',
    '株式会社チケットぴあTOKYO',
    'ＡＢＣホール・コンサート㈱',
    '台北 ㄅㄆ 票務Live',
    '서울 티켓 K팝Seoul',
    'Яндекс.Билеты Moscow Live™',
    'МТС Live',
    'COSMOTE Θέατρο',
    'Ελληνικά',
    'Թատրոն',
    'O’Neill / d’Artagnan – “Soirée !”',
    'P!nk ☮ AC⚡DC',
    'Pride 🏳️‍🌈 👩🏽‍🎤 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️',
    'Ⅲ. Festival ½',
  ])('takes the honest name %s', (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  it.each([
    ['a right-to-left override', 'Fan\u202Eepop', 'invisible characters (U+202E)'],
    ['an isolate', 'Fan\u2067s\u2069', 'U+2067'],
    ['a right-to-left mark', 'Fan\u200F!', 'U+200F'],
    ['a zero-width space', 'Tic\u200Bkets', 'U+200B'],
    ['a joiner in Latin', 'Tic\u200Dkets', 'U+200D'],
    ['a joiner between emoji that are no sequence', '🎫\u200D🎫', 'U+200D'],
    ['two joiners after a virama', 'क्\u200D\u200Dष', 'U+200D'],
    ['a byte order mark', '\uFEFFTickets', 'U+FEFF'],
    ['a soft hyphen', 'Tic\u00ADkets', 'U+00AD'],
    ['a variation selector on a letter', 'A\uFE0F', 'U+FE0F'],
    ['a tag', 'Tickets\u{E0041}', 'U+E0041'],
    ['a filler that is a letter', 'Tic\u3164kets', 'U+3164'],
    ['a line separator', 'Tickets\u2028Ltd', 'U+2028'],
    ['an empty Braille pattern', '\u2800', 'U+2800'],
    ['half a surrogate pair', 'a\uD800', 'U+D800'],
    ['a character of private use', 'a\uE000', 'U+E000'],
    ['a line end', 'Tickets\nLtd', 'control characters'],
    ['five marks on a letter', 'Z\u0300\u0301\u0302\u0303\u0304algo', 'stacked marks'],
    ['a mark twice', 'e\u0301\u0301', 'stacked marks'],
    ['a mark without a letter', 'Tickets \u0489', 'stacked marks'],
  ])('refuses %s, also in the name of an event', (_, name, fault) => {
    expect(nameFault(name)).toContain(fault);
    expect(textFault(name)).toContain(fault);
  });

  it.each([
    ['Cyrillic in Latin', 'Tісkеts', 'Tісkеts'],
    ['Greek in Latin', 'Οpera Tickets', 'Οpera'],
    ['Cyrillic beside letters of mathematics', '𝐏ауment', 'Pауment'],
    ['Armenian in Latin', 'Gօօgle', 'Gօօgle'],
    ['Hebrew with Arabic', 'כרטיסت', 'כרטיסت'],
    ['a script that is not in everyday use', 'ᎢᎥᏟᏦᎬᎢ', 'ᎢᎥᏟᏦᎬᎢ'],
  ])('refuses %s in one word, and names the word; the company may have such an event', (_, name, word) => {
    expect(nameFault(name)).toMatch(/several scripts/);
    expect(nameFault(name)).toContain(`(${word})`);
    expect(textFault(name)).toBeUndefined();
  });

  it('a row of an import is held to the same rule, in what fans read', () => {
    const event = {
      kind: 'event',
      reference: 'e\u200B1',
      name: 'NIИ',
      starts_at: '2030-01-01T20:00:00Z',
      ends_at: '2030-01-01T23:00:00Z',
    };
    expect(parseRow(event).fault).toBeUndefined();
    const turned = [
      { ...event, name: 'Fan\u202Eepop' },
      { ...event, venue: 'Z\u0300\u0301\u0302\u0303\u0304' },
      { kind: 'ticket_type', reference: 't', event: 'e', name: 'VIP\u200B' },
    ];
    expect(turned.map((row) => parseRow(row).fault)).toMatchObject([
      { field: 'name', message: 'name must have no invisible characters (U+202E).' },
      { field: 'venue', message: expect.stringContaining('stacked marks') },
      { field: 'name', message: 'name must have no invisible characters (U+200B).' },
    ]);
  });

  it.each([
    ['', '1 to 120'],
    ['   ', '1 to 120'],
    ['x'.repeat(121), '1 to 120'],
  ])('refuses the length of %j', (name, fault) => {
    expect(nameFault(name)).toContain(fault);
  });
});
