import { Foundation } from './2026-11-20-foundation.ts';
import { Chain } from './2026-11-21-chain.ts';
import { ClientLogos } from './2026-11-22-client-logo.ts';
import { Portal } from './2026-11-22-portal.ts';
import { StaffSide } from './2026-11-22-staff.ts';
import { ActivitySide } from './2026-11-23-activity.ts';
import { SandboxSide } from './2026-11-23-sandbox.ts';
import { CodeAsked } from './2026-11-24-code-asked.ts';
import { VerificationLimits } from './2026-11-24-verification-limits.ts';
import { SettleClaims } from './2026-11-25-settle-claims.ts';
import { TriesUnderWay } from './2026-11-25-tries-under-way.ts';
import { U64Prices } from './2026-11-25-u64-prices.ts';
import { UnreadPermits } from './2026-11-25-unread-permits.ts';

/** Every migration in the order in which they run. A released one is never edited. */
export const MIGRATIONS = [
  { name: '2026-11-20-foundation', class: Foundation },
  { name: '2026-11-21-chain', class: Chain },
  { name: '2026-11-22-staff', class: StaffSide },
  { name: '2026-11-22-portal', class: Portal },
  { name: '2026-11-23-sandbox', class: SandboxSide },
  { name: '2026-11-23-activity', class: ActivitySide },
  { name: '2026-11-24-verification-limits', class: VerificationLimits },
  { name: '2026-11-22-client-logo', class: ClientLogos },
  { name: '2026-11-24-code-asked', class: CodeAsked },
  { name: '2026-11-25-u64-prices', class: U64Prices },
  { name: '2026-11-25-unread-permits', class: UnreadPermits },
  { name: '2026-11-25-settle-claims', class: SettleClaims },
  { name: '2026-11-25-tries-under-way', class: TriesUnderWay },
];
