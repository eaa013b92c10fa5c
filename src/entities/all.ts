import { AuditEntry } from './audit-entry.ts';
import { AuthorizationCode } from './authorization-code.ts';
import { AuthorizationSession } from './authorization-session.ts';
import { ChainCluster } from './chain-cluster.ts';
import { ChainKey } from './chain-key.ts';
import { Claim } from './claim.ts';
import { Client } from './client.ts';
import { ConsentGrant } from './consent-grant.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';
import { Listing } from './listing.ts';
import { ListingSignature } from './listing-signature.ts';
import { Partner } from './partner.ts';
import { Permit } from './permit.ts';
import { PhoneChallenge } from './phone-challenge.ts';
import { PhoneTries } from './phone-tries.ts';
import { RefreshTokenFamily } from './refresh-token-family.ts';
import { SigningKey } from './signing-key.ts';
import { TestUser } from './test-user.ts';
import { Ticket } from './ticket.ts';
import { TicketType } from './ticket-type.ts';
import { Wallet } from './wallet.ts';

/** The data model, as the ORM is told of it. */
export const ENTITIES = [
  AuditEntry,
  AuthorizationCode,
  AuthorizationSession,
  ChainCluster,
  ChainKey,
  Claim,
  Client,
  ConsentGrant,
  Event,
  Fan,
  Listing,
  ListingSignature,
  Partner,
  Permit,
  PhoneChallenge,
  PhoneTries,
  RefreshTokenFamily,
  SigningKey,
  TestUser,
  Ticket,
  TicketType,
  Wallet,
];
