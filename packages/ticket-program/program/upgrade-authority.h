/*
 * Who may upgrade this program, as its ProgramData account says.
 *
 * The address is derived, never taken from the caller, and only the upgradeable loader writes accounts of its own. When the loader
 * takes the upgrade authority away it clears the flag alone and leaves the key's bytes: the flag decides.
 */
#pragma once
#include "accounts.h"

enum { LOADER_STATE_PROGRAM_DATA = 3, AUTHORITY_PRESENT = 1 };

/* What precedes the program's code, in the loader's own layout. */
typedef struct PACKED {
  u32 state;
  u64 deployed_in_slot;
  u8 has_authority;
  Pubkey authority;
} ProgramDataHeader;
_Static_assert(sizeof(ProgramDataHeader) == 45, "wire size");

static const Pubkey UPGRADEABLE_LOADER_ID = { { UPGRADEABLE_LOADER_BYTES } };

NOINLINE u64 check_program_data_address(const Input *input, const AccountInfo *account) {
  Pubkey address;
  u8 bump;
  Slice seeds[] = { SEED_KEY(input->program_id) };
  REQUIRE(sol_try_find_program_address(seeds, 1, &UPGRADEABLE_LOADER_ID, &address, &bump) == 0, ERROR_BAD_PDA);
  REQUIRE(key_equal(&address, account->key), ERROR_BAD_PDA);
  return 0;
}

NOINLINE u64 check_upgrade_authority(const Input *input, const AccountInfo *account, const AccountInfo *who) {
  TRY(check_program_data_address(input, account));
  const ProgramDataHeader *header = account->data;
  REQUIRE(key_equal(account->owner, &UPGRADEABLE_LOADER_ID), ERROR_BAD_ACCOUNT);
  REQUIRE(account->data_length >= sizeof(ProgramDataHeader), ERROR_BAD_ACCOUNT);
  REQUIRE(header->state == LOADER_STATE_PROGRAM_DATA, ERROR_BAD_ACCOUNT);
  REQUIRE(header->has_authority == AUTHORITY_PRESENT, ERROR_WRONG_AUTHORITY);
  REQUIRE(key_equal(&header->authority, who->key), ERROR_WRONG_AUTHORITY);
  return 0;
}
