/*
 * Creates an account at a program-derived address, and grows one.
 *
 * Anybody can send lamports to an address before its account exists, and the System program's CreateAccount refuses an address that
 * holds any. So that nobody can block a ticket that way, such an account is topped up, allocated and assigned step by step.
 */
#pragma once
#include "accounts.h"

enum { SYSTEM_CREATE_ACCOUNT = 0, SYSTEM_ASSIGN = 1, SYSTEM_TRANSFER = 2, SYSTEM_ALLOCATE = 8 };

/* The exemption threshold of the rent sysvar, as the bits of an f64: 2.0 so far, 1.0 with SIMD-0194. */
#define THRESHOLD_TWO_YEARS 0x4000000000000000UL
#define THRESHOLD_ONE 0x3ff0000000000000UL
enum { ACCOUNT_STORAGE_OVERHEAD = 128 };

enum { MAX_SEEDS = 4 };

typedef struct {
  AccountInfo *account;
  const AccountInfo *payer;
  const AccountInfo *system_program;
  u64 size;
  u64 seed_count; /* without the bump, which create_account finds and appends */
  Slice seeds[MAX_SEEDS];
  u8 bump;
} Creation;

static const Pubkey SYSTEM_PROGRAM_ID = { { 0 } };

NOINLINE u64 rent_exempt_lamports(u64 size, u64 *lamports) {
  Rent rent;
  TRY(sol_get_rent_sysvar(&rent));
  u64 years = rent.exemption_threshold_bits == THRESHOLD_TWO_YEARS ? 2 : 1;
  REQUIRE(years == 2 || rent.exemption_threshold_bits == THRESHOLD_ONE, RUNTIME_INVALID_ARGUMENT);
  *lamports = (ACCOUNT_STORAGE_OVERHEAD + size) * rent.lamports_per_byte_year * years;
  return 0;
}

/* Signs for the new account with its seeds; the payer's own signature carries over. */
INLINE u64 invoke_system(const Input *input, const Creation *creation, const Instruction *instruction) {
  SignerSeeds signer = { creation->seeds, creation->seed_count + 1 };
  return sol_invoke_signed_c(instruction, input->accounts, input->account_count, &signer, 1);
}

NOINLINE u64 system_create(const Input *input, const Creation *creation, u64 lamports) {
  struct PACKED {
    u32 tag;
    u64 lamports;
    u64 size;
    Pubkey owner;
  } data;
  data.tag = SYSTEM_CREATE_ACCOUNT;
  data.lamports = lamports;
  data.size = creation->size;
  key_copy(&data.owner, input->program_id);
  AccountMeta accounts[] = { { creation->payer->key, 1, 1 }, { creation->account->key, 1, 1 } };
  Instruction instruction = { &SYSTEM_PROGRAM_ID, accounts, 2, &data, sizeof(data) };
  return invoke_system(input, creation, &instruction);
}

NOINLINE u64 system_transfer(const Input *input, const Creation *creation, u64 lamports) {
  struct PACKED {
    u32 tag;
    u64 lamports;
  } data;
  data.tag = SYSTEM_TRANSFER;
  data.lamports = lamports;
  AccountMeta accounts[] = { { creation->payer->key, 1, 1 }, { creation->account->key, 1, 0 } };
  Instruction instruction = { &SYSTEM_PROGRAM_ID, accounts, 2, &data, sizeof(data) };
  return invoke_system(input, creation, &instruction);
}

NOINLINE u64 system_allocate(const Input *input, const Creation *creation) {
  struct PACKED {
    u32 tag;
    u64 size;
  } data;
  data.tag = SYSTEM_ALLOCATE;
  data.size = creation->size;
  AccountMeta accounts[] = { { creation->account->key, 1, 1 } };
  Instruction instruction = { &SYSTEM_PROGRAM_ID, accounts, 1, &data, sizeof(data) };
  return invoke_system(input, creation, &instruction);
}

NOINLINE u64 system_assign(const Input *input, const Creation *creation) {
  struct PACKED {
    u32 tag;
    Pubkey owner;
  } data;
  data.tag = SYSTEM_ASSIGN;
  key_copy(&data.owner, input->program_id);
  AccountMeta accounts[] = { { creation->account->key, 1, 1 } };
  Instruction instruction = { &SYSTEM_PROGRAM_ID, accounts, 1, &data, sizeof(data) };
  return invoke_system(input, creation, &instruction);
}

/* Finds the bump itself, so that only the canonical address of the seeds can ever hold an account. */
NOINLINE u64 create_account(const Input *input, Creation *creation) {
  Pubkey address;
  AccountInfo *account = creation->account;
  REQUIRE(key_equal(creation->system_program->key, &SYSTEM_PROGRAM_ID), ERROR_BAD_ACCOUNT);
  REQUIRE(sol_try_find_program_address(creation->seeds, creation->seed_count, input->program_id, &address,
                                       &creation->bump) == 0, ERROR_BAD_PDA);
  REQUIRE(key_equal(&address, account->key), ERROR_BAD_PDA);
  REQUIRE(key_equal(account->owner, &SYSTEM_PROGRAM_ID) && account->data_length == 0, ERROR_ALREADY_EXISTS);

  Slice *bump_seed = &creation->seeds[creation->seed_count];
  bump_seed->start = &creation->bump;
  bump_seed->length = 1;

  u64 needed, held = *account->lamports;
  TRY(rent_exempt_lamports(creation->size, &needed));
  if (held == 0) return system_create(input, creation, needed);
  if (held < needed) TRY(system_transfer(input, creation, needed - held));
  TRY(system_allocate(input, creation));
  return system_assign(input, creation);
}

/* In place, in the room that the runtime leaves behind the data; the new bytes are zeros. The payer adds the rent. */
NOINLINE u64 grow_account(const Input *input, const Creation *growth) {
  AccountInfo *account = growth->account;
  REQUIRE(key_equal(growth->system_program->key, &SYSTEM_PROGRAM_ID), ERROR_BAD_ACCOUNT);
  if (account->data_length >= growth->size) return 0;

  u64 needed, held = *account->lamports;
  TRY(rent_exempt_lamports(growth->size, &needed));
  if (held < needed) TRY(system_transfer(input, growth, needed - held));
  store_u64((u8 *)account->data - sizeof(u64), growth->size);
  account->data_length = growth->size;
  return 0;
}
