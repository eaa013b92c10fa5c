import { describe, expect, test } from 'vitest';
import { linkSbf } from '../../build/link-sbf.ts';
import {
  FLAG_ALLOCATE,
  FLAG_WRITE,
  R_BPF_64_32,
  R_BPF_64_64,
  R_BPF_64_ABS64,
  SECTION_NOBITS,
} from '../../build/linker/elf.ts';
import { asm, buildObject, code, instruction, type ObjectSection, rodataSection, textSection } from './build-object.ts';
import { runElf } from './run-elf.ts';

const HELLO = Buffer.from('hello');
const ENTRY = { name: 'entrypoint', section: '.text' };
const LOG = { name: 'sol_log_' };
const TEXT = { name: 'text', section: '.rodata' };
const succeed = [asm.move(0, 0), asm.exit()];

/** `sol_log_("hello", 5)` */
const greeting = buildObject({
  sections: [
    textSection(code(asm.load(1), asm.move(2, HELLO.length), asm.call(), ...succeed), [
      { offset: 0, type: R_BPF_64_64, symbol: 'text' },
      { offset: 24, type: R_BPF_64_32, symbol: 'sol_log_' },
    ]),
    rodataSection(HELLO),
  ],
  symbols: [ENTRY, TEXT, LOG],
});

function objectWith(...sections: readonly ObjectSection[]): Uint8Array {
  return buildObject({ sections: [textSection(code(...succeed)), ...sections], symbols: [ENTRY] });
}

describe.each([0, 3] as const)('sBPF v%i', (version) => {
  test('a program without data or system calls runs', () => {
    expect(runElf(linkSbf(objectWith(), { version }))).toMatchObject({ failed: false, said: [] });
  });

  test('a system call finds the runtime, and an address finds the constant', () => {
    expect(runElf(linkSbf(greeting, { version }))).toMatchObject({ failed: false, said: ['hello'] });
  });

  test('an address may point into the middle of a constant', () => {
    const object = buildObject({
      sections: [
        textSection(code(asm.load(1, 1), asm.move(2, 4), asm.call(), ...succeed), [
          { offset: 0, type: R_BPF_64_64, symbol: 'text' },
          { offset: 24, type: R_BPF_64_32, symbol: 'sol_log_' },
        ]),
        rodataSection(HELLO),
      ],
      symbols: [ENTRY, TEXT, LOG],
    });
    expect(runElf(linkSbf(object, { version })).said).toEqual(['ello']);
  });

  test('a call reaches a function of the object, and the entry need not come first', () => {
    const say = [asm.load(1), asm.move(2, HELLO.length), asm.call(), asm.exit()];
    const entryAt = code(...say).length;
    const object = buildObject({
      sections: [
        textSection(code(...say, asm.call(), ...succeed), [
          { offset: 0, type: R_BPF_64_64, symbol: 'text' },
          { offset: 24, type: R_BPF_64_32, symbol: 'sol_log_' },
          { offset: entryAt, type: R_BPF_64_32, symbol: 'say' },
        ]),
        rodataSection(HELLO),
      ],
      symbols: [{ ...ENTRY, value: entryAt }, { name: 'say', section: '.text' }, TEXT, LOG],
    });
    expect(runElf(linkSbf(object, { version })).said).toEqual(['hello']);
  });

  test('a pointer among the constants is followed', () => {
    const object = buildObject({
      sections: [
        textSection(code(asm.load(1), asm.read(1, 1), asm.move(2, HELLO.length), asm.call(), ...succeed), [
          { offset: 0, type: R_BPF_64_64, symbol: 'pointer' },
          { offset: 32, type: R_BPF_64_32, symbol: 'sol_log_' },
        ]),
        rodataSection(HELLO),
        {
          name: '.data.rel.ro',
          bytes: new Uint8Array(8),
          flags: FLAG_ALLOCATE | FLAG_WRITE,
          alignment: 8,
          relocations: [{ offset: 0, type: R_BPF_64_ABS64, symbol: 'text' }],
        },
      ],
      symbols: [ENTRY, TEXT, LOG, { name: 'pointer', section: '.data.rel.ro' }],
    });
    expect(runElf(linkSbf(object, { version })).said).toEqual(['hello']);
  });

  test('an indirect call goes through whichever register field the compiler used', () => {
    // clang up to 18 names the register in the immediate, later ones in the destination field.
    for (const callx of [instruction(0x8d, 0, 0, 3), instruction(0x8d, 3)]) {
      const say = [asm.load(1), asm.move(2, HELLO.length), asm.call(), asm.exit()];
      const entryAt = code(...say).length;
      const object = buildObject({
        sections: [
          textSection(code(...say, asm.load(3), callx, ...succeed), [
            { offset: 0, type: R_BPF_64_64, symbol: 'text' },
            { offset: 24, type: R_BPF_64_32, symbol: 'sol_log_' },
            { offset: entryAt, type: R_BPF_64_64, symbol: 'say' },
          ]),
          rodataSection(HELLO),
        ],
        symbols: [{ ...ENTRY, value: entryAt }, { name: 'say', section: '.text' }, TEXT, LOG],
      });
      expect(runElf(linkSbf(object, { version })).said).toEqual(['hello']);
    }
  });

  test('the same object gives the same bytes', () => {
    expect(linkSbf(greeting, { version })).toEqual(linkSbf(greeting, { version }));
  });
});

describe('what cannot run on Solana is refused when it is linked', () => {
  const refusal = (object: Uint8Array, options = {}) => {
    try {
      linkSbf(object, options);
    } catch (error) {
      return error;
    }
    return undefined;
  };

  test('an unknown relocation, with its number and place', () => {
    const object = buildObject({
      sections: [
        textSection(code(asm.load(1), ...succeed), [{ offset: 0, type: 3, symbol: 'text' }]),
        rodataSection(HELLO),
      ],
      symbols: [ENTRY, TEXT],
    });
    expect(refusal(object)).toMatchObject({
      code: 'unknown_relocation',
      message: 'relocation type 3 in .text against text',
    });
  });

  test.each([
    ['the address of what the object does not define', [{ offset: 0, type: R_BPF_64_64, symbol: 'elsewhere' }]],
    ['the address of what is not loaded', [{ offset: 0, type: R_BPF_64_64, symbol: 'comment' }]],
  ])('%s', (_, relocations) => {
    const object = buildObject({
      sections: [textSection(code(asm.load(1), ...succeed), relocations), { name: '.comment', bytes: HELLO }],
      symbols: [ENTRY, { name: 'elsewhere' }, { name: 'comment', section: '.comment' }],
    });
    expect(refusal(object)).toMatchObject({ code: 'unloaded_symbol' });
  });

  test.each([
    ['.data', { bytes: new Uint8Array(8) }],
    ['.bss', { bytes: new Uint8Array(8), type: SECTION_NOBITS }],
  ])('variables: %s', (name, section) => {
    const object = objectWith({ name, flags: FLAG_ALLOCATE | FLAG_WRITE, ...section });
    expect(refusal(object)).toMatchObject({
      code: 'mutable_global',
      message: `section ${name} holds variables, which a program cannot have`,
    });
  });

  test.each([
    ['an atomic operation', instruction(0xdb, 0x21)],
    ['a sign-extending load', instruction(0x91, 0x21)],
    ['a 32-bit jump (compile with -mcpu=v2)', instruction(0x16, 1, 1)],
    ['a signed division or sign-extending move', instruction(0x3f, 0x21, 1)],
    ['a byte swap', instruction(0xd7, 1, 0, 64)],
  ])('%s', (fault, bad) => {
    const object = buildObject({ sections: [textSection(code(bad, ...succeed))], symbols: [ENTRY] });
    expect(refusal(object)).toMatchObject({
      code: 'unsupported_instruction',
      message: `${fault} at byte 0 of the code`,
    });
  });

  test('a long jump, in v3 too', () => {
    const object = buildObject({ sections: [textSection(code(instruction(0x06, 0), ...succeed))], symbols: [ENTRY] });
    expect(refusal(object, { version: 3 })).toMatchObject({ message: 'a long jump at byte 0 of the code' });
  });

  test('the second half of a 64-bit load is data, whatever it looks like', () => {
    const load = [...asm.load(1)];
    load[8] = 0xdb;
    const object = buildObject({ sections: [textSection(code(load, ...succeed))], symbols: [ENTRY] });
    expect(refusal(object)).toBeUndefined();
  });

  test('an object without the entry point', () => {
    expect(refusal(objectWith(), { entry: 'main' })).toMatchObject({
      code: 'no_entry',
      message: 'there is no function named main',
    });
  });

  test('an object without code', () => {
    const object = buildObject({
      sections: [rodataSection(HELLO)],
      symbols: [{ name: 'entrypoint', section: '.rodata' }],
    });
    expect(refusal(object)).toMatchObject({ code: 'no_code' });
  });

  test('what is no BPF object: nothing, a text, another machine, a finished program', () => {
    const otherMachine = Buffer.from(objectWith());
    otherMachine.writeUInt16LE(62, 18);
    for (const file of [new Uint8Array(0), HELLO, otherMachine, linkSbf(objectWith())]) {
      expect(refusal(file)).toMatchObject({ code: 'not_an_object' });
    }
  });

  test('an object that is cut short anywhere', () => {
    for (let length = 0; length < greeting.length; length += 7) {
      expect(refusal(greeting.subarray(0, length))).toMatchObject({ code: 'not_an_object' });
    }
  });

  test('an object without symbols', () => {
    const object = Buffer.from(objectWith());
    const table = Number(object.readBigUInt64LE(40));
    // The second section, after the code, is the symbol table.
    object.writeUInt32LE(0, table + 2 * 64 + 4);
    expect(refusal(object)).toMatchObject({ code: 'no_symbols' });
  });
});

test('what is not loaded is left out: debug and unwind sections, with their relocations', () => {
  const plain = linkSbf(objectWith());
  const debug = { name: '.debug_info', bytes: HELLO, relocations: [{ offset: 0, type: 99, symbol: 'entrypoint' }] };
  const unwind = { name: '.eh_frame', bytes: HELLO, flags: FLAG_ALLOCATE };
  expect(linkSbf(objectWith(debug, unwind))).toEqual(plain);
});
