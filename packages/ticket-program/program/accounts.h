/*
 * Opens the program's accounts. An account counts only if the program owns it, its length and discriminator are right, and it lies
 * at the address that its own seeds give: look-alikes are refused.
 */
#pragma once
#include "input.h"

#define SEED_TEXT(text) { (text), sizeof(text) - 1 }
#define SEED_KEY(key) { (key), 32 }
#define SEED_BUMP(bump) { (bump), 1 }

INLINE u64 check_kind(const Input *input, const AccountInfo *account, u64 discriminator, u64 size) {
  REQUIRE(key_equal(account->owner, input->program_id), ERROR_BAD_ACCOUNT);
  REQUIRE(account->data_length == size, ERROR_BAD_ACCOUNT);
  REQUIRE(load_u64(account->data) == discriminator, ERROR_BAD_ACCOUNT);
  return 0;
}

NOINLINE u64 check_address(const Input *input, const AccountInfo *account, const Slice *seeds, u64 count) {
  Pubkey address;
  REQUIRE(sol_create_program_address(seeds, count, input->program_id, &address) == 0, ERROR_BAD_PDA);
  REQUIRE(key_equal(&address, account->key), ERROR_BAD_PDA);
  return 0;
}

/* One made by the program's first version is shorter: it has no former authority. */
NOINLINE u64 open_config(const Input *input, const AccountInfo *account, Config **config) {
  u64 size = account->data_length == CONFIG_FIRST_SIZE ? CONFIG_FIRST_SIZE : sizeof(Config);
  TRY(check_kind(input, account, CONFIG_DISCRIMINATOR, size));
  *config = account->data;
  Slice seeds[] = { SEED_TEXT(SEED_CONFIG), SEED_BUMP(&(*config)->bump) };
  return check_address(input, account, seeds, 2);
}

NOINLINE u64 open_event(const Input *input, const AccountInfo *account) {
  TRY(check_kind(input, account, EVENT_DISCRIMINATOR, sizeof(Event)));
  const Event *event = account->data;
  Slice seeds[] = { SEED_TEXT(SEED_EVENT), SEED_KEY(event->event_id), SEED_BUMP(&event->bump) };
  return check_address(input, account, seeds, 3);
}

NOINLINE u64 open_permit(const Input *input, const AccountInfo *account, Permit **permit) {
  TRY(check_kind(input, account, PERMIT_DISCRIMINATOR, sizeof(Permit)));
  *permit = account->data;
  Slice seeds[] = {
    SEED_TEXT(SEED_PERMIT),
    SEED_KEY(&(*permit)->event),
    SEED_KEY((*permit)->ticket_id),
    SEED_BUMP(&(*permit)->bump),
  };
  return check_address(input, account, seeds, 4);
}

INLINE int is_former_authority(const AccountInfo *config_account, const Config *config, const Pubkey *who) {
  if (config_account->data_length < sizeof(Config)) return 0;
  return !key_is_zero(&config->former_authority) && key_equal(who, &config->former_authority);
}

/* For the instructions that need the configuration only to know who the authority is. */
NOINLINE u64 check_authority(const Input *input, const AccountInfo *config_account, const AccountInfo *authority) {
  Config *config;
  TRY(open_config(input, config_account, &config));
  REQUIRE(key_equal(authority->key, &config->authority), ERROR_WRONG_AUTHORITY);
  return 0;
}

/* Listings under way when the authority is rotated finish under either. */
NOINLINE u64 check_listing_authority(const Input *input, const AccountInfo *config_account, const AccountInfo *authority) {
  Config *config;
  TRY(open_config(input, config_account, &config));
  if (key_equal(authority->key, &config->authority)) return 0;
  return is_former_authority(config_account, config, authority->key) ? 0 : ERROR_WRONG_AUTHORITY;
}
