/* Made from describe-program.ts by build-program.ts: do not edit. */
#pragma once
#include "sbf.h"

enum { DISCRIMINATOR_SIZE = 8 };

enum {
  ERROR_BAD_INSTRUCTION = 6000,
  ERROR_MISSING_SIGNATURE = 6001,
  ERROR_WRONG_OWNER = 6002,
  ERROR_WRONG_AUTHORITY = 6003,
  ERROR_BAD_ACCOUNT = 6004,
  ERROR_BAD_PDA = 6005,
  ERROR_ALREADY_EXISTS = 6006,
  ERROR_NOT_WRITABLE = 6007,
  ERROR_WRONG_STATE = 6008,
  ERROR_BAD_PRICE = 6009,
  ERROR_BAD_DESTINATION = 6010,
  ERROR_BAD_MARKETPLACE = 6011,
};

enum {
  PERMIT_HELD = 0,
  PERMIT_LISTED = 1,
};

#define SEED_CONFIG "config"
#define SEED_EVENT "event"
#define SEED_PERMIT "permit"

#define UPGRADEABLE_LOADER_BYTES 2, 168, 246, 145, 78, 136, 161, 176, 226, 16, 21, 62, 247, 99, 174, 43, 0, 194, 185, 61, 22, 193, 36, 210, 192, 83, 122, 16, 4, 128, 0, 0

/* One per program, at seeds "config". The former authority is zero where there is none, and missing in an account that has not been rotated since the first version. */
#define CONFIG_DISCRIMINATOR 0x82ccfa1ee0aa0c9bUL
typedef struct PACKED {
  u64 discriminator;
  Pubkey authority;
  Pubkey admin;
  u8 bump;
  Pubkey former_authority;
} Config;
_Static_assert(sizeof(Config) == 105, "wire size");
enum { CONFIG_FIRST_SIZE = 73 };

/* One per event, at seeds "event", event_id. */
#define EVENT_DISCRIMINATOR 0xe99873099e7dc07dUL
typedef struct PACKED {
  u64 discriminator;
  u8 event_id[32];
  Pubkey organiser;
  u8 bump;
} Event;
_Static_assert(sizeof(Event) == 73, "wire size");

/* One per ticket, at seeds "permit", address of the event, ticket_id. Marketplace and price are zero while held. */
#define PERMIT_DISCRIMINATOR 0xa053e8c5aebac3dbUL
typedef struct PACKED {
  u64 discriminator;
  Pubkey event;
  u8 ticket_id[32];
  Pubkey owner;
  u8 state;
  Pubkey marketplace;
  u64 price;
  u8 bump;
} Permit;
_Static_assert(sizeof(Permit) == 146, "wire size");

/* A permit was created. */
#define PERMIT_ISSUED_DISCRIMINATOR 0x1b5e2b704e708d77UL
typedef struct PACKED {
  u64 discriminator;
  Pubkey permit;
  Pubkey event;
  Pubkey owner;
} PermitIssued;
_Static_assert(sizeof(PermitIssued) == 104, "wire size");

/* A permit went on the market. */
#define LISTING_CREATED_DISCRIMINATOR 0x600cbaf6ffa7a45eUL
typedef struct PACKED {
  u64 discriminator;
  Pubkey permit;
  Pubkey owner;
  Pubkey marketplace;
  u64 price;
} ListingCreated;
_Static_assert(sizeof(ListingCreated) == 112, "wire size");

/* A permit went off the market unsold. */
#define LISTING_CANCELLED_DISCRIMINATOR 0xc28b50670aa32e0bUL
typedef struct PACKED {
  u64 discriminator;
  Pubkey permit;
  Pubkey owner;
} ListingCancelled;
_Static_assert(sizeof(ListingCancelled) == 72, "wire size");

/* A permit changed hands. The price is that of the listing; zero when its owner transferred it. */
#define PERMIT_TRANSFERRED_DISCRIMINATOR 0xb381090567ab4091UL
typedef struct PACKED {
  u64 discriminator;
  Pubkey permit;
  Pubkey from;
  Pubkey to;
  u64 price;
} PermitTransferred;
_Static_assert(sizeof(PermitTransferred) == 112, "wire size");

/* The co-signing authority was replaced. */
#define AUTHORITY_ROTATED_DISCRIMINATOR 0xe6b91303df787c59UL
typedef struct PACKED {
  u64 discriminator;
  Pubkey from;
  Pubkey to;
} AuthorityRotated;
_Static_assert(sizeof(AuthorityRotated) == 72, "wire size");

/* The authority before the present one has no rights any more. */
#define AUTHORITY_RETIRED_DISCRIMINATOR 0xaed300fb854a2e6aUL
typedef struct PACKED {
  u64 discriminator;
  Pubkey authority;
} AuthorityRetired;
_Static_assert(sizeof(AuthorityRetired) == 40, "wire size");

/* The admin was replaced. */
#define ADMIN_ROTATED_DISCRIMINATOR 0xdcacc216fce38e15UL
typedef struct PACKED {
  u64 discriminator;
  Pubkey from;
  Pubkey to;
} AdminRotated;
_Static_assert(sizeof(AdminRotated) == 72, "wire size");

enum { MUST_SIGN = 1, MUST_BE_WRITABLE = 2 };
typedef struct {
  u8 arguments_size;
  u8 account_count;
  u8 account_flags[6];
} InstructionShape;

/* Creates the configuration, once. Only the program's upgrade authority may do so; it becomes the admin. */
#define INITIALIZE_V1 0xfda53b455f911d41UL
enum {
  INITIALIZE_V1_CONFIG,
  INITIALIZE_V1_ADMIN,
  INITIALIZE_V1_AUTHORITY,
  INITIALIZE_V1_PROGRAM_DATA,
  INITIALIZE_V1_SYSTEM_PROGRAM,
};
static const InstructionShape INITIALIZE_V1_SHAPE = {
  0, 5, { MUST_BE_WRITABLE, MUST_SIGN | MUST_BE_WRITABLE, MUST_SIGN, 0, 0 },
};

/* Replaces the co-signing authority; the one before still co-signs listings. The new one signs too, so that a mistyped key cannot lock the program. */
#define ROTATE_AUTHORITY_V1 0x71b736d27bc8f200UL
enum {
  ROTATE_AUTHORITY_V1_CONFIG,
  ROTATE_AUTHORITY_V1_ADMIN,
  ROTATE_AUTHORITY_V1_NEW_AUTHORITY,
  ROTATE_AUTHORITY_V1_PAYER,
  ROTATE_AUTHORITY_V1_SYSTEM_PROGRAM,
};
static const InstructionShape ROTATE_AUTHORITY_V1_SHAPE = {
  0, 5, { MUST_BE_WRITABLE, MUST_SIGN, MUST_SIGN, MUST_SIGN | MUST_BE_WRITABLE, 0 },
};

/* Ends the rights of the authority before the present one. */
#define RETIRE_AUTHORITY_V1 0x6ee360d47cf0365cUL
enum {
  RETIRE_AUTHORITY_V1_CONFIG,
  RETIRE_AUTHORITY_V1_ADMIN,
  RETIRE_AUTHORITY_V1_FORMER_AUTHORITY,
};
static const InstructionShape RETIRE_AUTHORITY_V1_SHAPE = {
  0, 3, { MUST_BE_WRITABLE, MUST_SIGN, 0 },
};

/* Replaces the admin. The new one signs too, so that a mistyped key cannot lock the program. */
#define ROTATE_ADMIN_V1 0x2ced1d7173d7bf75UL
enum {
  ROTATE_ADMIN_V1_CONFIG,
  ROTATE_ADMIN_V1_ADMIN,
  ROTATE_ADMIN_V1_NEW_ADMIN,
};
static const InstructionShape ROTATE_ADMIN_V1_SHAPE = {
  0, 3, { MUST_BE_WRITABLE, MUST_SIGN, MUST_SIGN },
};

/* Creates the account of an event. */
#define REGISTER_EVENT_V1 0xf7a586c3657cd39cUL
enum {
  REGISTER_EVENT_V1_CONFIG,
  REGISTER_EVENT_V1_EVENT,
  REGISTER_EVENT_V1_AUTHORITY,
  REGISTER_EVENT_V1_ORGANISER,
  REGISTER_EVENT_V1_PAYER,
  REGISTER_EVENT_V1_SYSTEM_PROGRAM,
};
typedef struct PACKED {
  u8 event_id[32];
} RegisterEventV1Arguments;
_Static_assert(sizeof(RegisterEventV1Arguments) == 32, "wire size");
static const InstructionShape REGISTER_EVENT_V1_SHAPE = {
  32, 6, { 0, MUST_BE_WRITABLE, MUST_SIGN, 0, MUST_SIGN | MUST_BE_WRITABLE, 0 },
};

/* Creates the permit of one ticket of an event, held by the given owner. */
#define ISSUE_PERMIT_V1 0x11579934f8142bedUL
enum {
  ISSUE_PERMIT_V1_CONFIG,
  ISSUE_PERMIT_V1_EVENT,
  ISSUE_PERMIT_V1_PERMIT,
  ISSUE_PERMIT_V1_AUTHORITY,
  ISSUE_PERMIT_V1_PAYER,
  ISSUE_PERMIT_V1_SYSTEM_PROGRAM,
};
typedef struct PACKED {
  u8 ticket_id[32];
  Pubkey owner;
} IssuePermitV1Arguments;
_Static_assert(sizeof(IssuePermitV1Arguments) == 64, "wire size");
static const InstructionShape ISSUE_PERMIT_V1_SHAPE = {
  64, 6, { 0, 0, MUST_BE_WRITABLE, MUST_SIGN, MUST_SIGN | MUST_BE_WRITABLE, 0 },
};

/* Lists a held permit for a price in lamports. While listed, only the marketplace may transfer it. */
#define CREATE_LISTING_V1 0x30bdbc4ecd7b139bUL
enum {
  CREATE_LISTING_V1_CONFIG,
  CREATE_LISTING_V1_PERMIT,
  CREATE_LISTING_V1_OWNER,
  CREATE_LISTING_V1_AUTHORITY,
  CREATE_LISTING_V1_MARKETPLACE,
};
typedef struct PACKED {
  u64 price;
} CreateListingV1Arguments;
_Static_assert(sizeof(CreateListingV1Arguments) == 8, "wire size");
static const InstructionShape CREATE_LISTING_V1_SHAPE = {
  8, 5, { 0, MUST_BE_WRITABLE, MUST_SIGN, MUST_SIGN, 0 },
};

/* Takes a listed permit off the market: its owner holds it again. */
#define CANCEL_LISTING_V1 0x1d71d912330341e1UL
enum {
  CANCEL_LISTING_V1_CONFIG,
  CANCEL_LISTING_V1_PERMIT,
  CANCEL_LISTING_V1_OWNER,
  CANCEL_LISTING_V1_AUTHORITY,
};
static const InstructionShape CANCEL_LISTING_V1_SHAPE = {
  0, 4, { 0, MUST_BE_WRITABLE, MUST_SIGN, MUST_SIGN },
};

/* Moves a permit: signed by the owner while it is held, by the stored marketplace while it is listed. */
#define TRANSFER_PERMIT_V1 0x43816ca8c74d53d2UL
enum {
  TRANSFER_PERMIT_V1_CONFIG,
  TRANSFER_PERMIT_V1_PERMIT,
  TRANSFER_PERMIT_V1_TRANSFER_AUTHORITY,
  TRANSFER_PERMIT_V1_DESTINATION,
};
static const InstructionShape TRANSFER_PERMIT_V1_SHAPE = {
  0, 4, { 0, MUST_BE_WRITABLE, MUST_SIGN, 0 },
};
