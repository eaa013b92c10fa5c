/*
 * The part of Solana's C interface that the ticket program uses: types, system calls, words of memory. There is no libc.
 *
 * clang-14's BPF target sets the limits that the code keeps to: 512 bytes of stack per function, five arguments, no mutable
 * globals, no calls to memcpy or memset.
 */
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))
#define PACKED __attribute__((packed))

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    u64 error_ = (call);                                                                                               \
    if (error_) return error_;                                                                                         \
  } while (0)

#define REQUIRE(condition, error)                                                                                      \
  do {                                                                                                                 \
    if (!(condition)) return (error);                                                                                  \
  } while (0)

/* Errors that the runtime has names for lie above 32 bits; a program's own are plain numbers. */
#define RUNTIME_INVALID_ARGUMENT (2UL << 32)
#define RUNTIME_NOT_ENOUGH_ACCOUNT_KEYS (11UL << 32)

typedef struct {
  u8 bytes[32];
} Pubkey;

/* The layouts from here to AccountInfo are fixed: the system calls read them. */

typedef struct {
  const void *start;
  u64 length;
} Slice;

typedef struct {
  const Slice *seeds;
  u64 count;
} SignerSeeds;

typedef struct {
  const Pubkey *key;
  u8 is_writable;
  u8 is_signer;
} AccountMeta;

typedef struct {
  const Pubkey *program_id;
  const AccountMeta *accounts;
  u64 account_count;
  const void *data;
  u64 data_length;
} Instruction;

typedef struct {
  const Pubkey *key;
  u64 *lamports;
  u64 data_length;
  void *data;
  const Pubkey *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 is_executable;
} AccountInfo;

typedef struct {
  u64 lamports_per_byte_year;
  u64 exemption_threshold_bits; /* an f64; the program has no floating point */
  u8 burn_percent;
} Rent;

extern void sol_log_data(const Slice *fields, u64 count);
extern u64 sol_create_program_address(const Slice *seeds, u64 count, const Pubkey *program_id, Pubkey *address);
extern u64 sol_try_find_program_address(const Slice *seeds, u64 count, const Pubkey *program_id, Pubkey *address, u8 *bump);
extern u64 sol_invoke_signed_c(const Instruction *, const AccountInfo *, u64 count, const SignerSeeds *, u64 signer_count);
extern u64 sol_get_rent_sysvar(Rent *rent);

/* The machine allows unaligned access, but the compiler does not know; volatile words stay single instructions. */

INLINE u64 load_u64(const void *from) { return *(const volatile u64 *)from; }

INLINE void store_u64(void *to, u64 value) { *(volatile u64 *)to = value; }

INLINE int key_equal(const void *a, const void *b) {
  const u8 *x = a, *y = b;
  return load_u64(x) == load_u64(y) && load_u64(x + 8) == load_u64(y + 8) && load_u64(x + 16) == load_u64(y + 16) &&
         load_u64(x + 24) == load_u64(y + 24);
}

INLINE int key_is_zero(const void *key) {
  const u8 *x = key;
  return !(load_u64(x) | load_u64(x + 8) | load_u64(x + 16) | load_u64(x + 24));
}

INLINE void key_copy(void *to, const void *from) {
  u8 *x = to;
  const u8 *y = from;
  store_u64(x, load_u64(y));
  store_u64(x + 8, load_u64(y + 8));
  store_u64(x + 16, load_u64(y + 16));
  store_u64(x + 24, load_u64(y + 24));
}
