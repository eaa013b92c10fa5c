/*
 * The ticket program: events, permits (one per ticket), listings and transfers.
 *
 * A permit is held or listed. Its owner alone moves a held one; listing and cancelling take the owner AND the service's authority
 * (the present one, or the one before until it is retired);
 * a listed one is moved by the marketplace that the listing names, and by nobody else.
 *
 * Layouts, positions of accounts, error codes and discriminators come from describe-program.ts, through permit.h. The entry point
 * has checked the shape of an instruction (number of accounts, signer and writable flags, length of the data) before it is run, so
 * the functions below check only who and what the accounts are.
 */
#include "create-account.h"
#include "upgrade-authority.h"

#define HEAP_START 0x300000000UL

INLINE void emit(const void *event, u64 size) {
  Slice fields = { event, size };
  sol_log_data(&fields, 1);
}

/* By the upgrade authority: otherwise the first caller after a deployment could become the admin. */
static u64 initialize_v1(Input *input) {
  AccountInfo *account = &input->accounts[INITIALIZE_V1_CONFIG];
  const AccountInfo *admin = &input->accounts[INITIALIZE_V1_ADMIN];
  TRY(check_upgrade_authority(input, &input->accounts[INITIALIZE_V1_PROGRAM_DATA], admin));
  Creation creation = {
    .account = account,
    .payer = admin,
    .system_program = &input->accounts[INITIALIZE_V1_SYSTEM_PROGRAM],
    .size = sizeof(Config),
    .seed_count = 1,
    .seeds = { SEED_TEXT(SEED_CONFIG) },
  };
  TRY(create_account(input, &creation));

  Config *config = account->data;
  config->discriminator = CONFIG_DISCRIMINATOR;
  key_copy(&config->authority, input->accounts[INITIALIZE_V1_AUTHORITY].key);
  key_copy(&config->admin, admin->key);
  config->bump = creation.bump;
  return 0;
}

static u64 rotate_authority_v1(Input *input) {
  AccountInfo *account = &input->accounts[ROTATE_AUTHORITY_V1_CONFIG];
  const AccountInfo *admin = &input->accounts[ROTATE_AUTHORITY_V1_ADMIN];
  const AccountInfo *new_authority = &input->accounts[ROTATE_AUTHORITY_V1_NEW_AUTHORITY];
  Config *config;
  TRY(open_config(input, account, &config));
  REQUIRE(key_equal(admin->key, &config->admin), ERROR_WRONG_AUTHORITY);
  Creation growth = {
    .account = account,
    .payer = &input->accounts[ROTATE_AUTHORITY_V1_PAYER],
    .system_program = &input->accounts[ROTATE_AUTHORITY_V1_SYSTEM_PROGRAM],
    .size = sizeof(Config),
    .seed_count = 1,
    .seeds = { SEED_TEXT(SEED_CONFIG), SEED_BUMP(&config->bump) },
  };
  TRY(grow_account(input, &growth));

  AuthorityRotated event;
  event.discriminator = AUTHORITY_ROTATED_DISCRIMINATOR;
  key_copy(&event.from, &config->authority);
  key_copy(&event.to, new_authority->key);
  key_copy(&config->former_authority, &config->authority);
  key_copy(&config->authority, new_authority->key);
  emit(&event, sizeof(event));
  return 0;
}

/* Names the key: a retirement that was signed offline and lands after another rotation must not hit another key. */
static u64 retire_authority_v1(Input *input) {
  const AccountInfo *account = &input->accounts[RETIRE_AUTHORITY_V1_CONFIG];
  const AccountInfo *admin = &input->accounts[RETIRE_AUTHORITY_V1_ADMIN];
  const AccountInfo *former = &input->accounts[RETIRE_AUTHORITY_V1_FORMER_AUTHORITY];
  Config *config;
  TRY(open_config(input, account, &config));
  REQUIRE(key_equal(admin->key, &config->admin), ERROR_WRONG_AUTHORITY);
  REQUIRE(is_former_authority(account, config, former->key), ERROR_WRONG_AUTHORITY);

  AuthorityRetired event;
  event.discriminator = AUTHORITY_RETIRED_DISCRIMINATOR;
  key_copy(&event.authority, &config->former_authority);
  key_copy(&config->former_authority, &SYSTEM_PROGRAM_ID);
  emit(&event, sizeof(event));
  return 0;
}

static u64 rotate_admin_v1(Input *input) {
  const AccountInfo *admin = &input->accounts[ROTATE_ADMIN_V1_ADMIN];
  const AccountInfo *new_admin = &input->accounts[ROTATE_ADMIN_V1_NEW_ADMIN];
  Config *config;
  TRY(open_config(input, &input->accounts[ROTATE_ADMIN_V1_CONFIG], &config));
  REQUIRE(key_equal(admin->key, &config->admin), ERROR_WRONG_AUTHORITY);

  AdminRotated event;
  event.discriminator = ADMIN_ROTATED_DISCRIMINATOR;
  key_copy(&event.from, &config->admin);
  key_copy(&event.to, new_admin->key);
  key_copy(&config->admin, new_admin->key);
  emit(&event, sizeof(event));
  return 0;
}

static u64 register_event_v1(Input *input) {
  const RegisterEventV1Arguments *args = arguments(input);
  AccountInfo *account = &input->accounts[REGISTER_EVENT_V1_EVENT];
  TRY(check_authority(input, &input->accounts[REGISTER_EVENT_V1_CONFIG],
                      &input->accounts[REGISTER_EVENT_V1_AUTHORITY]));
  Creation creation = {
    .account = account,
    .payer = &input->accounts[REGISTER_EVENT_V1_PAYER],
    .system_program = &input->accounts[REGISTER_EVENT_V1_SYSTEM_PROGRAM],
    .size = sizeof(Event),
    .seed_count = 2,
    .seeds = { SEED_TEXT(SEED_EVENT), SEED_KEY(args->event_id) },
  };
  TRY(create_account(input, &creation));

  Event *event = account->data;
  event->discriminator = EVENT_DISCRIMINATOR;
  key_copy(event->event_id, args->event_id);
  key_copy(&event->organiser, input->accounts[REGISTER_EVENT_V1_ORGANISER].key);
  event->bump = creation.bump;
  return 0;
}

/* A permit that belongs to nobody, or to itself, could never move again. */
INLINE u64 check_new_owner(const Pubkey *owner, const AccountInfo *permit) {
  REQUIRE(!key_is_zero(owner), ERROR_BAD_DESTINATION);
  REQUIRE(!key_equal(owner, permit->key), ERROR_BAD_DESTINATION);
  return 0;
}

static u64 issue_permit_v1(Input *input) {
  const IssuePermitV1Arguments *args = arguments(input);
  const AccountInfo *event = &input->accounts[ISSUE_PERMIT_V1_EVENT];
  AccountInfo *account = &input->accounts[ISSUE_PERMIT_V1_PERMIT];
  TRY(check_authority(input, &input->accounts[ISSUE_PERMIT_V1_CONFIG], &input->accounts[ISSUE_PERMIT_V1_AUTHORITY]));
  TRY(open_event(input, event));
  TRY(check_new_owner(&args->owner, account));
  Creation creation = {
    .account = account,
    .payer = &input->accounts[ISSUE_PERMIT_V1_PAYER],
    .system_program = &input->accounts[ISSUE_PERMIT_V1_SYSTEM_PROGRAM],
    .size = sizeof(Permit),
    .seed_count = 3,
    .seeds = { SEED_TEXT(SEED_PERMIT), SEED_KEY(event->key), SEED_KEY(args->ticket_id) },
  };
  TRY(create_account(input, &creation));

  /* A new account is all zeros: state, marketplace and price already say "held". */
  Permit *permit = account->data;
  permit->discriminator = PERMIT_DISCRIMINATOR;
  key_copy(&permit->event, event->key);
  key_copy(permit->ticket_id, args->ticket_id);
  key_copy(&permit->owner, &args->owner);
  permit->bump = creation.bump;

  PermitIssued issued;
  issued.discriminator = PERMIT_ISSUED_DISCRIMINATOR;
  key_copy(&issued.permit, account->key);
  key_copy(&issued.event, event->key);
  key_copy(&issued.owner, &args->owner);
  emit(&issued, sizeof(issued));
  return 0;
}

/* Listing and cancelling ask the same of the same four accounts: both have them in this order. */
_Static_assert(CREATE_LISTING_V1_CONFIG == CANCEL_LISTING_V1_CONFIG, "same slot");
_Static_assert(CREATE_LISTING_V1_PERMIT == CANCEL_LISTING_V1_PERMIT, "same slot");
_Static_assert(CREATE_LISTING_V1_OWNER == CANCEL_LISTING_V1_OWNER, "same slot");
_Static_assert(CREATE_LISTING_V1_AUTHORITY == CANCEL_LISTING_V1_AUTHORITY, "same slot");

static u64 open_permit_for_listing(Input *input, u8 state, Permit **permit) {
  TRY(check_listing_authority(input, &input->accounts[CREATE_LISTING_V1_CONFIG],
                              &input->accounts[CREATE_LISTING_V1_AUTHORITY]));
  TRY(open_permit(input, &input->accounts[CREATE_LISTING_V1_PERMIT], permit));
  REQUIRE(key_equal(input->accounts[CREATE_LISTING_V1_OWNER].key, &(*permit)->owner), ERROR_WRONG_OWNER);
  REQUIRE((*permit)->state == state, ERROR_WRONG_STATE);
  return 0;
}

INLINE void clear_listing(Permit *permit) {
  permit->state = PERMIT_HELD;
  key_copy(&permit->marketplace, &SYSTEM_PROGRAM_ID);
  store_u64(&permit->price, 0);
}

static u64 create_listing_v1(Input *input) {
  const CreateListingV1Arguments *args = arguments(input);
  const AccountInfo *account = &input->accounts[CREATE_LISTING_V1_PERMIT];
  const Pubkey *marketplace = input->accounts[CREATE_LISTING_V1_MARKETPLACE].key;
  Permit *permit;
  TRY(open_permit_for_listing(input, PERMIT_HELD, &permit));
  REQUIRE(args->price > 0, ERROR_BAD_PRICE);
  REQUIRE(!key_is_zero(marketplace), ERROR_BAD_MARKETPLACE);
  REQUIRE(!key_equal(marketplace, account->key), ERROR_BAD_MARKETPLACE);

  permit->state = PERMIT_LISTED;
  key_copy(&permit->marketplace, marketplace);
  store_u64(&permit->price, args->price);

  ListingCreated created;
  created.discriminator = LISTING_CREATED_DISCRIMINATOR;
  key_copy(&created.permit, account->key);
  key_copy(&created.owner, &permit->owner);
  key_copy(&created.marketplace, marketplace);
  created.price = args->price;
  emit(&created, sizeof(created));
  return 0;
}

static u64 cancel_listing_v1(Input *input) {
  Permit *permit;
  TRY(open_permit_for_listing(input, PERMIT_LISTED, &permit));
  clear_listing(permit);

  ListingCancelled cancelled;
  cancelled.discriminator = LISTING_CANCELLED_DISCRIMINATOR;
  key_copy(&cancelled.permit, input->accounts[CANCEL_LISTING_V1_PERMIT].key);
  key_copy(&cancelled.owner, &permit->owner);
  emit(&cancelled, sizeof(cancelled));
  return 0;
}

/* The co-signing authority has no say in a transfer: otherwise it could move tickets that are not its own. */
INLINE u64 check_may_transfer(const Permit *permit, const Pubkey *who) {
  if (permit->state == PERMIT_LISTED) {
    REQUIRE(key_equal(who, &permit->marketplace), ERROR_WRONG_AUTHORITY);
  } else {
    REQUIRE(key_equal(who, &permit->owner), ERROR_WRONG_OWNER);
  }
  return 0;
}

static u64 transfer_permit_v1(Input *input) {
  const AccountInfo *account = &input->accounts[TRANSFER_PERMIT_V1_PERMIT];
  const Pubkey *destination = input->accounts[TRANSFER_PERMIT_V1_DESTINATION].key;
  Config *config;
  Permit *permit;
  TRY(open_config(input, &input->accounts[TRANSFER_PERMIT_V1_CONFIG], &config));
  TRY(open_permit(input, account, &permit));
  TRY(check_may_transfer(permit, input->accounts[TRANSFER_PERMIT_V1_TRANSFER_AUTHORITY].key));
  TRY(check_new_owner(destination, account));
  REQUIRE(!key_equal(destination, &permit->owner), ERROR_BAD_DESTINATION);

  PermitTransferred transferred;
  transferred.discriminator = PERMIT_TRANSFERRED_DISCRIMINATOR;
  key_copy(&transferred.permit, account->key);
  key_copy(&transferred.from, &permit->owner);
  key_copy(&transferred.to, destination);
  transferred.price = load_u64(&permit->price);

  key_copy(&permit->owner, destination);
  clear_listing(permit);
  emit(&transferred, sizeof(transferred));
  return 0;
}

u64 entrypoint(u8 *raw_input) {
  Input *input = (Input *)HEAP_START; /* too large for a stack frame */
  read_input(raw_input, input);
  REQUIRE(input->data_length >= DISCRIMINATOR_SIZE, ERROR_BAD_INSTRUCTION);
  switch (load_u64(input->data)) {
  case TRANSFER_PERMIT_V1:
    return check_shape(input, &TRANSFER_PERMIT_V1_SHAPE) ?: transfer_permit_v1(input);
  case CREATE_LISTING_V1:
    return check_shape(input, &CREATE_LISTING_V1_SHAPE) ?: create_listing_v1(input);
  case CANCEL_LISTING_V1:
    return check_shape(input, &CANCEL_LISTING_V1_SHAPE) ?: cancel_listing_v1(input);
  case ISSUE_PERMIT_V1:
    return check_shape(input, &ISSUE_PERMIT_V1_SHAPE) ?: issue_permit_v1(input);
  case REGISTER_EVENT_V1:
    return check_shape(input, &REGISTER_EVENT_V1_SHAPE) ?: register_event_v1(input);
  case ROTATE_AUTHORITY_V1:
    return check_shape(input, &ROTATE_AUTHORITY_V1_SHAPE) ?: rotate_authority_v1(input);
  case RETIRE_AUTHORITY_V1:
    return check_shape(input, &RETIRE_AUTHORITY_V1_SHAPE) ?: retire_authority_v1(input);
  case ROTATE_ADMIN_V1:
    return check_shape(input, &ROTATE_ADMIN_V1_SHAPE) ?: rotate_admin_v1(input);
  case INITIALIZE_V1:
    return check_shape(input, &INITIALIZE_V1_SHAPE) ?: initialize_v1(input);
  default:
    return ERROR_BAD_INSTRUCTION;
  }
}
