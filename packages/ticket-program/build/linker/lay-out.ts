import {
  alignUp,
  FLAG_ALLOCATE,
  FLAG_EXECUTE,
  FLAG_WRITE,
  INSTRUCTION_SIZE,
  SECTION_NOBITS,
  SECTION_PROGBITS,
} from './elf.ts';
import { LinkError } from './link-error.ts';
import type { ObjectFile, ObjectSymbol, Section } from './read-object.ts';

export interface Segment {
  /** Address of its first byte. */
  readonly base: number;
  /** The loaded sections one after another; a multiple of 8 long. Relocation writes into them. */
  readonly bytes: Buffer;
}

export interface Image {
  readonly text: Segment;
  readonly rodata: Segment;
  /** @returns the segment that a loaded section became part of, and where in it the section starts; nothing if it is not loaded */
  placeOf(section: Section): { readonly segment: Segment; readonly start: number } | undefined;
  /** @throws LinkError `unloaded_symbol` */
  addressOf(symbol: ObjectSymbol): number;
}

export interface LayOutOptions {
  readonly textBase: number;
  /** Whether read-only data lies right behind the code; else its addresses start at 0. */
  readonly contiguous?: boolean;
}

/**
 * Chooses the sections that a program needs at run time and gives each its address.
 *
 * @throws LinkError `mutable_global`: a program's memory is read-only but for stack and heap; `no_code`
 */
export function layOut({ sections }: ObjectFile, { textBase, contiguous = false }: LayOutOptions): Image {
  const loaded = sections.filter(isLoaded);
  loaded.forEach(refuseMutable);
  const code = loaded.filter(isCode);
  if (code.length === 0) throw new LinkError('no_code', 'the object has no code');

  const text = place(code, textBase, INSTRUCTION_SIZE);
  const rodata = place(
    loaded.filter((section) => !isCode(section)),
    contiguous ? textBase + text.segment.bytes.length : 0,
    1,
  );

  const placeOf: Image['placeOf'] = (section) => {
    const { segment, starts } = isCode(section) ? text : rodata;
    const start = starts.get(section);
    return start === undefined ? undefined : { segment, start };
  };
  const addressOf: Image['addressOf'] = (symbol) => {
    const found = symbol.section && placeOf(symbol.section);
    if (!found) throw new LinkError('unloaded_symbol', `${symbol.name} is not part of the program`);
    return found.segment.base + found.start + symbol.value;
  };
  return { text: text.segment, rodata: rodata.segment, placeOf, addressOf };
}

export function isCode({ flags }: Section): boolean {
  return (flags & FLAG_EXECUTE) !== 0;
}

function isLoaded({ name, type, flags, size }: Section): boolean {
  if ((flags & FLAG_ALLOCATE) === 0 || size === 0) return false;
  // Unwind tables: nothing on Solana unwinds.
  if (name.startsWith('.eh_frame')) return false;
  return type === SECTION_PROGBITS || type === SECTION_NOBITS;
}

function refuseMutable({ name, type, flags }: Section): void {
  // Constants that hold pointers: clang marks them writable only because a loader has to relocate them.
  const constant = (flags & FLAG_WRITE) === 0 || name.startsWith('.data.rel.ro');
  if (!constant || type === SECTION_NOBITS) {
    throw new LinkError('mutable_global', `section ${name} holds variables, which a program cannot have`);
  }
}

function place(sections: readonly Section[], base: number, leastAlignment: number) {
  const starts = new Map<Section, number>();
  let end = 0;
  for (const section of sections) {
    const start = alignUp(base + end, Math.max(section.alignment, leastAlignment)) - base;
    starts.set(section, start);
    end = start + section.size;
  }
  const bytes = Buffer.alloc(alignUp(end, INSTRUCTION_SIZE));
  for (const [section, start] of starts) section.bytes.copy(bytes, start);
  return { segment: { base, bytes }, starts };
}
