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

/** Discriminator, and where each field begins, in bytes. */
export const ACCOUNTS = {
  "Config": {
    "discriminator": [ 155, 12, 170, 224, 30, 250, 204, 130 ],
    "offsets": { "authority": 8, "admin": 40, "bump": 72, "former_authority": 73 }
  },
  "Permit": {
    "discriminator": [ 219, 195, 186, 174, 197, 232, 83, 160 ],
    "offsets": {
      "event": 8,
      "ticket_id": 40,
      "owner": 72,
      "state": 104,
      "marketplace": 105,
      "price": 137,
      "bump": 145
    }
  }
} as const;
