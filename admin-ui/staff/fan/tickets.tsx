import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ViewLink } from '../../kit/parts/page.tsx';
import { Moment, StateMark, statesOf } from '../../kit/parts/values.tsx';

/** A ticket in words: `Opening Night, Standing`. */
export function nameOfTicket({ ticketType }: { ticketType: { name: string; event: { name: string } } }): string {
  return `${ticketType.event.name}, ${ticketType.name}`;
}

/** A price in lamports as `2 SOL`, `0.5 SOL`. */
export function inSol(lamports: string): string {
  const digits = lamports.padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '');
  const whole = BigInt(digits.slice(0, -9)).toLocaleString('en');
  return `${whole}${fraction === '' ? '' : `.${fraction}`} SOL`;
}

interface HolderProps {
  of: { id: string; phone: string; testUser?: { phone: string } | null } | null;
}

/** A fan in a row: the phone, masked unless it is a test number, as a link to the fan's page. */
export function Holder({ of: fan }: HolderProps) {
  if (fan === null) return <span className="aside">an unknown wallet</span>;
  return (
    <Anchor component={Link} href={`/fans/${fan.id}`} size="sm" className="one-line">
      {fan.testUser?.phone ?? fan.phone}
    </Anchor>
  );
}

/** Whose test data it is: that of a partner, as a link to its page, or everybody's. */
export function PartnerLink({ of: partner }: { of: { id: string; name: string } | null }) {
  return partner ? <ViewLink href={`/partners/${partner.id}`}>{partner.name}</ViewLink> : 'all partners';
}

const CLAIMS = statesOf({
  PENDING: ['Pending', 'waiting'],
  SUBMITTED: ['Submitted', 'waiting'],
  CONFIRMED: ['Confirmed', 'good'],
  FAILED: ['Failed', 'bad'],
});

export type ClaimState = Parameters<typeof CLAIMS.Mark>[0]['state'];

/** The filter's value for open claims that do not settle, which is not a state of its own. */
export const STUCK = 'STUCK';
const STUCK_LABEL = 'Not settled';

export const CLAIM_STATE_OPTIONS = [...CLAIMS.options, { value: STUCK, label: STUCK_LABEL }];

export function ClaimStateMark({ claim }: { claim: { state: ClaimState; stuck: boolean } }) {
  return claim.stuck ? <StateMark tone="bad">{STUCK_LABEL}</StateMark> : <CLAIMS.Mark state={claim.state} />;
}

/** What no node has said of a claim that is stuck. */
export const NO_ANSWER = 'the cluster has not answered, or the job that settles claims does not run';

interface ClaimProgressProps {
  /** `setAside`: why the last attempt to settle it failed. */
  claim: { state: ClaimState; stuck: boolean; setAside: string | null; nextAttemptAt: string | null };
}

/** The state of a claim; if it does not settle, why, and when it is tried again. */
export function ClaimProgress({ claim }: ClaimProgressProps) {
  if (!claim.stuck) return <ClaimStateMark claim={claim} />;
  const reason = claim.setAside ?? NO_ANSWER;
  return (
    <Stack gap={2} maw={320} miw={0}>
      <ClaimStateMark claim={claim} />
      <Text size="xs" c="dimmed" lineClamp={2} title={reason}>
        {reason}
      </Text>
      {claim.nextAttemptAt !== null && (
        <Text size="xs" c="dimmed">
          Next try: <Moment at={claim.nextAttemptAt} />
        </Text>
      )}
    </Stack>
  );
}

const LISTINGS = statesOf({
  OPEN: ['On sale', 'good'],
  SOLD: ['Sold', 'quiet'],
  CANCELLED: ['Cancelled', 'quiet'],
});

export type ListingOutcome = 'SOLD' | 'CANCELLED';

export const LISTING_STATE_OPTIONS = LISTINGS.options;

/** @param outcome null while it is open */
export function ListingStateMark({ outcome }: { outcome: ListingOutcome | null }) {
  return <LISTINGS.Mark state={outcome ?? 'OPEN'} />;
}

const ENDS: Record<string, string> = {
  revoked_by_client: 'Ended by the client',
  revoked_by_staff: 'Ended by staff',
  revoked_by_fan: 'Ended by the fan',
  sandbox_reset: 'Ended by a sandbox reset',
  refresh_token_reuse: 'Ended: a refresh token was used twice',
  code_reuse: 'Ended: a code was used twice',
};

/** Whether a grant is alive, and if not, what ended it. */
export function GrantStateMark({ grant }: { grant: { revokedAt: string | null; revokedReason: string | null } }) {
  if (grant.revokedAt === null) return <StateMark tone="good">Active</StateMark>;
  if (grant.revokedReason === 'expired') return <StateMark tone="quiet">Expired</StateMark>;
  return <StateMark tone="bad">{ENDS[grant.revokedReason ?? ''] ?? 'Ended'}</StateMark>;
}

const STEPS = {
  PHONE: 'entering the phone number',
  CODE: 'entering the code',
  CONTINUITY: 'showing that the account is theirs',
  CONSENT: 'on the consent page',
  DONE: 'done',
} as const;

/** How far a sign-in got. */
export function LoginStepMark({ step, expiresAt }: { step: keyof typeof STEPS; expiresAt: string }) {
  if (step === 'DONE') return <StateMark tone="good">done</StateMark>;
  const over = new Date(expiresAt).getTime() < Date.now();
  return <StateMark tone={over ? 'quiet' : 'waiting'}>{over ? `left while ${STEPS[step]}` : STEPS[step]}</StateMark>;
}
