// Generated from packages/ticket-program/program/idl.json by npm run generate.

/** Discriminator, and accounts in their order. */
export const INSTRUCTIONS = {
  "create_listing_v1": {
    "discriminator": [ 155, 19, 123, 205, 78, 188, 189, 48 ],
    "accounts": [
      { "name": "config", "signer": false, "writable": false },
      { "name": "permit", "signer": false, "writable": true },
      { "name": "owner", "signer": true, "writable": false },
      { "name": "authority", "signer": true, "writable": false },
      { "name": "marketplace", "signer": false, "writable": false }
    ]
  },
  "cancel_listing_v1": {
    "discriminator": [ 225, 65, 3, 51, 18, 217, 113, 29 ],
    "accounts": [
      { "name": "config", "signer": false, "writable": false },
      { "name": "permit", "signer": false, "writable": true },
      { "name": "owner", "signer": true, "writable": false },
      { "name": "authority", "signer": true, "writable": false }
    ]
  },
  "transfer_permit_v1": {
    "discriminator": [ 210, 83, 77, 199, 168, 108, 129, 67 ],
    "accounts": [
      { "name": "config", "signer": false, "writable": false },
      { "name": "permit", "signer": false, "writable": true },
      { "name": "transfer_authority", "signer": true, "writable": false },
      { "name": "destination", "signer": false, "writable": false }
    ]
  }
} as const;

/** The version of every account. */
export const ACCOUNT_VERSION = 2;

/** Discriminator, and where each field begins, in bytes. */
export const ACCOUNTS = {
  "Config": {
    "discriminator": [ 155, 12, 170, 224, 30, 250, 204, 130 ],
    "offsets": { "version": 8, "authority": 9, "former_authority": 41, "admin": 73, "payer": 105, "bump": 137 }
  },
  "Permit": {
    "discriminator": [ 219, 195, 186, 174, 197, 232, 83, 160 ],
    "offsets": {
      "version": 8,
      "event": 9,
      "ticket_id": 41,
      "owner": 73,
      "state": 105,
      "marketplace": 106,
      "price": 138,
      "listing": 146,
      "bump": 154
    }
  }
} as const;
