/**
 * Numbers of the ELF format and of its BPF supplement that both ends of the linker use.
 *
 * @see System V ABI, "Object Files"
 * @see Linux, Documentation/bpf/llvm_reloc.rst
 */
export const ELF_MAGIC = 0x7f454c46;
export const MACHINE_BPF = 247;
export const FILE_RELOCATABLE = 1;
export const FILE_SHARED = 3;

export const HEADER_SIZE = 64;
export const PROGRAM_HEADER_SIZE = 56;
export const SECTION_HEADER_SIZE = 64;
export const SYMBOL_SIZE = 24;
export const RELOCATION_SIZE = 16;
export const DYNAMIC_ENTRY_SIZE = 16;

export const SECTION_PROGBITS = 1;
export const SECTION_SYMTAB = 2;
export const SECTION_STRTAB = 3;
export const SECTION_DYNAMIC = 6;
export const SECTION_NOBITS = 8;
export const SECTION_REL = 9;
export const SECTION_DYNSYM = 11;

export const FLAG_WRITE = 1;
export const FLAG_ALLOCATE = 2;
export const FLAG_EXECUTE = 4;

/** `lddw` of a symbol's address. */
export const R_BPF_64_64 = 1;
/** A pointer in data. */
export const R_BPF_64_ABS64 = 2;
/** Not clang's: asks Solana's loader to add the base address of the program. */
export const R_BPF_64_RELATIVE = 8;
/** The target of a call. */
export const R_BPF_64_32 = 10;

/** Every BPF instruction has 8 bytes; `lddw` takes two slots. */
export const INSTRUCTION_SIZE = 8;

export function alignUp(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
