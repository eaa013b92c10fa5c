import { AccountLink, AccountSession, ProviderSignIn } from './account.ts';
import { ArmedFailure } from './armed-failure.ts';
import { AuditEntry } from './audit-entry.ts';
import { AuthorizationCode } from './authorization-code.ts';
import { AuthorizationSession } from './authorization-session.ts';
import { ChainCluster, ChainKey } from './chain.ts';
import { Claim } from './claim.ts';
import { Client, ClientLogo, ClientReview } from './client.ts';
import { CodeBreaker, CodeBudget, CodeTraffic, PhoneTries, RateLimit } from './code-limits.ts';
import { ConsentGrant } from './consent-grant.ts';
import { CustodyMove } from './custody-move.ts';
import { EncryptionKey } from './encryption-key.ts';
import { EndedAccess } from './ended-access.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';
import { FormerNumber, SupportCode } from './former-number.ts';
import { GoLiveAttempt, GoLiveEvent, GoLiveRun, GoLiveSecret } from './go-live-check.ts';
import { ImportFailure, ImportRun } from './import-run.ts';
import { InboxMail } from './inbox-mail.ts';
import { IssueDay, IssuePace, IssueTransaction, WaitingPermit } from './issuing.ts';
import { JobRun } from './job-run.ts';
import { KillSwitch } from './kill-switch.ts';
import { Listing, ListingSignature } from './listing.ts';
import { Notification, NotificationAttempt, NotificationEndpoint, NotificationSecret } from './notification.ts';
import { Partner } from './partner.ts';
import { PartnerMember, PartnerProvider } from './partner-member.ts';
import { Passkey, PasskeyChallenge } from './passkey.ts';
import { PaymentCursor, PaymentDay } from './payment.ts';
import { Permit, UnfinalPermit, UnreadPermit } from './permit.ts';
import { InboxMessage, PhoneChallenge } from './phone-challenge.ts';
import { PortalSession } from './portal-session.ts';
import { Proposal } from './proposal.ts';
import { RefreshTokenFamily } from './refresh-token-family.ts';
import { Latency, LoggedRequest, Traffic } from './request-log.ts';
import { ServiceAccount, ServiceToken } from './service-account.ts';
import { SigningKey } from './signing-key.ts';
import { Staff, StaffToken } from './staff.ts';
import { SandboxKit, TestUser } from './test-user.ts';
import { Ticket, TicketType } from './ticket.ts';
import { FeedFollower, FeedSpan, TicketFeed } from './ticket-feed.ts';
import { Wallet } from './wallet.ts';

/** Every entity. */
export const ENTITIES = [
  AccountLink,
  AccountSession,
  ArmedFailure,
  AuditEntry,
  AuthorizationCode,
  AuthorizationSession,
  ChainCluster,
  ChainKey,
  Claim,
  Client,
  ClientLogo,
  ClientReview,
  CodeBreaker,
  CodeBudget,
  CodeTraffic,
  ConsentGrant,
  CustodyMove,
  EncryptionKey,
  EndedAccess,
  Event,
  Fan,
  FeedFollower,
  FeedSpan,
  FormerNumber,
  GoLiveAttempt,
  GoLiveEvent,
  GoLiveRun,
  GoLiveSecret,
  InboxMail,
  InboxMessage,
  IssueDay,
  IssuePace,
  IssueTransaction,
  ImportFailure,
  JobRun,
  ImportRun,
  KillSwitch,
  Latency,
  Listing,
  ListingSignature,
  LoggedRequest,
  Notification,
  NotificationAttempt,
  NotificationEndpoint,
  NotificationSecret,
  Partner,
  PartnerMember,
  PartnerProvider,
  Passkey,
  PasskeyChallenge,
  PaymentCursor,
  PaymentDay,
  Permit,
  PhoneChallenge,
  PhoneTries,
  PortalSession,
  Proposal,
  ProviderSignIn,
  RateLimit,
  RefreshTokenFamily,
  SandboxKit,
  ServiceAccount,
  ServiceToken,
  SigningKey,
  Staff,
  StaffToken,
  SupportCode,
  TestUser,
  Ticket,
  TicketFeed,
  TicketType,
  Traffic,
  UnfinalPermit,
  UnreadPermit,
  WaitingPermit,
  Wallet,
];
