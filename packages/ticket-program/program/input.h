/*
 * Reads what the loader hands to the entry point, and checks its shape: enough accounts, each with the flags its slot needs, and
 * arguments of exactly the right length.
 */
#pragma once
#include "permit.h"
#include "sbf.h"

enum {
  MAX_ACCOUNTS = 8,          /* more than any instruction uses; further ones are passed over */
  NOT_DUPLICATE = 0xff,      /* first byte of an account that did not occur before */
  ACCOUNT_HEADER_SIZE = 88,  /* flags, padding, key, owner, lamports, data length */
  ACCOUNT_GROWTH_ROOM = 10240, /* bytes after the data that the runtime leaves free */
};

typedef struct {
  u64 account_count;
  AccountInfo accounts[MAX_ACCOUNTS];
  u64 data_length;
  const u8 *data;
  const Pubkey *program_id;
} Input;

INLINE u64 round_up_to_8(u64 value) { return (value + 7) & ~7UL; }

/* Returns where the next account starts. */
INLINE u8 *read_account(u8 *at, AccountInfo *account) {
  u64 data_length = load_u64(at + 80);
  u8 *rent_epoch = (u8 *)round_up_to_8((u64)(at + ACCOUNT_HEADER_SIZE + data_length + ACCOUNT_GROWTH_ROOM));
  account->is_signer = at[1];
  account->is_writable = at[2];
  account->is_executable = at[3];
  account->key = (Pubkey *)(at + 8);
  account->owner = (Pubkey *)(at + 40);
  account->lamports = (u64 *)(at + 72);
  account->data_length = data_length;
  account->data = at + ACCOUNT_HEADER_SIZE;
  account->rent_epoch = load_u64(rent_epoch);
  return rent_epoch + 8;
}

INLINE void copy_account(AccountInfo *to, const AccountInfo *from) {
  to->key = from->key;
  to->lamports = from->lamports;
  to->data_length = from->data_length;
  to->data = from->data;
  to->owner = from->owner;
  to->rent_epoch = from->rent_epoch;
  to->is_signer = from->is_signer;
  to->is_writable = from->is_writable;
  to->is_executable = from->is_executable;
}

/* Trusts its input: the runtime itself wrote it. */
NOINLINE void read_input(u8 *at, Input *input) {
  AccountInfo passed_over;
  u64 total = load_u64(at);
  at += 8;
  input->account_count = total < MAX_ACCOUNTS ? total : MAX_ACCOUNTS;
  for (u64 i = 0; i < total; i++) {
    AccountInfo *account = i < MAX_ACCOUNTS ? &input->accounts[i] : &passed_over;
    u8 original = at[0];
    if (original == NOT_DUPLICATE) {
      at = read_account(at, account);
    } else {
      if (i < MAX_ACCOUNTS) copy_account(account, &input->accounts[original]);
      at += 8;
    }
  }
  input->data_length = load_u64(at);
  input->data = at + 8;
  input->program_id = (const Pubkey *)(input->data + input->data_length);
}

INLINE const void *arguments(const Input *input) { return input->data + DISCRIMINATOR_SIZE; }

NOINLINE u64 check_shape(const Input *input, const InstructionShape *shape) {
  REQUIRE(input->data_length == DISCRIMINATOR_SIZE + shape->arguments_size, ERROR_BAD_INSTRUCTION);
  REQUIRE(input->account_count >= shape->account_count, RUNTIME_NOT_ENOUGH_ACCOUNT_KEYS);
  for (u64 i = 0; i < shape->account_count; i++) {
    const AccountInfo *account = &input->accounts[i];
    u8 flags = shape->account_flags[i];
    REQUIRE(!(flags & MUST_SIGN) || account->is_signer, ERROR_MISSING_SIGNATURE);
    REQUIRE(!(flags & MUST_BE_WRITABLE) || account->is_writable, ERROR_NOT_WRITABLE);
  }
  return 0;
}
