/** A price on the chain is a u64, of which `bigint` holds only one half. */
export const U64_PRICES = [`alter table "listing" alter column "price" type numeric(20,0)`];
