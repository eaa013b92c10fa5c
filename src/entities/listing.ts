import { defineEntity, p, Type } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { ConsentGrant } from './consent-grant.ts';
import { Permit } from './permit.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/** The operations on a listing that we co-sign. */
export const LISTING_ACTIONS = ['list', 'cancel'] as const;
export const LISTING_OUTCOMES = ['cancelled', 'sold'] as const;

/** MikroORM column type of a u64: `numeric(20,0)` in the database, where `bigint` is signed, and `bigint` in the entities. */
class U64Column extends Type<bigint, string> {
  override convertToDatabaseValue(value: bigint | string): string {
    return String(value);
  }

  override convertToJSValue(value: bigint | string): bigint {
    return BigInt(value);
  }

  override getColumnType(): string {
    return 'numeric(20,0)';
  }

  override compareAsType(): string {
    return 'bigint';
  }
}

/** A permit on sale: opened when it is seen listed onchain, closed when it is seen held or moved. */
const ListingSchema = defineEntity({
  name: 'Listing',
  indexes: [
    uniqueSqlIndex('listing_one_open', 'on listing (permit_id) where closed_at is null'),
    sqlIndex('listing_open', 'on listing (id) where closed_at is null'),
    sqlIndex('listing_cancelled', `on listing (id) where outcome = 'cancelled'`),
    { properties: ['marketplace', 'id'] },
  ],
  properties: {
    id: primaryId('lst'),
    permit: () => p.manyToOne(Permit).index(),
    /** Base58. */
    marketplace: p.string().length(44),
    /** Lamports. */
    price: p.type(new U64Column()).$type<bigint>(),
    openedAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    outcome: p.enum(LISTING_OUTCOMES).nullable(),
  },
});

export class Listing extends ListingSchema.class {}
ListingSchema.setClass(Listing);

/** A listing transaction that we co-signed. Signing the same message again adds no row. */
const ListingSignatureSchema = defineEntity({
  name: 'ListingSignature',
  indexes: [sqlIndex('listing_signature_by_action', 'on listing_signature (action, signed_at) include (grant_id)')],
  properties: {
    /** SHA-256 of the message, base64url. */
    messageHash: p.string().length(43).primary(),
    permit: () => p.manyToOne(Permit).index(),
    grant: () => p.manyToOne(ConsentGrant).index(),
    action: p.enum(LISTING_ACTIONS),
    /** A description of what was signed. */
    sentence: p.text(),
    signedAt: p.datetime(),
  },
});

export class ListingSignature extends ListingSignatureSchema.class {}
ListingSignatureSchema.setClass(ListingSignature);
