import { type Mutant, mutantsOf } from './mutant.ts';

/** Faults in what keeps permits from being issued twice, beyond the budget, or never; and in what mends a dropped block. */
export const ISSUING: readonly Mutant[] = [
  ...mutantsOf(
    'src/issuing/settle-issues.ts',
    ['test/src/issuing/issue-expiry.test.ts'],
    [
      ['finality.height > issue.last_valid_height && status.slot >= finality.slot', 'status.slot >= finality.slot'],
      [
        'finality.height > issue.last_valid_height && status.slot >= finality.slot',
        'finality.height > issue.last_valid_height',
      ],
      ['if (!issue.stale) return false;', 'return false;'],
    ],
  ),
  ...mutantsOf(
    'src/issuing/end-issue.ts',
    ['test/src/issuing/issue-expiry.test.ts'],
    [['if (carried.length > 0 && there.length === carried.length) {', 'if (carried.length < 0) {']],
  ),
  ...mutantsOf(
    'src/issuing/end-issue.ts',
    ['test/src/ticket/finality.test.ts'],
    [['if (missing.length === 0) return;', 'if (missing.length >= 0) return;']],
  ),
  ...mutantsOf(
    'src/issuing/issue-transactions.ts',
    ['test/src/issuing/issue-batches.test.ts'],
    [
      ['free.transactions < 1 || ', ''],
      ['mode = $1 and day = $2), 0)::text as booked', 'mode = $1 and day = $2 and mode <> $1), 0)::text as booked'],
      ['fees = d.fees - was.fee + $4::bigint, rent = d.rent - was.rent,', 'fees = d.fees + $4::bigint,'],
    ],
  ),
  ...mutantsOf(
    'src/issuing/issue-waiting.ts',
    ['test/src/issuing/issue-batches.test.ts'],
    [
      ['spendable < budget ? spendable : budget, toBatch', 'budget, toBatch'],
      ['taken.filter(({ wanted }) => !wanted)', 'taken.filter(() => false)'],
    ],
  ),
  ...mutantsOf(
    'src/issuing/waiting-permits.ts',
    ['test/src/issuing/issue-batches.test.ts'],
    [
      ['together = (size + 1) / 2,', 'together = size,'],
      ['and signature is null and retry_at <= $2\n', 'and retry_at <= $2\n'],
    ],
  ),
  ...mutantsOf(
    'src/issuing/issue-instructions.ts',
    ['test/src/issuing/issue-batches.test.ts'],
    [
      ['const PERMIT_UNITS = 9_000;', 'const PERMIT_UNITS = 5_000;'],
      ['(256 - bump) * BUMP_UNITS', 'BUMP_UNITS'],
    ],
  ),
  ...mutantsOf(
    'src/ticket/recheck-final.ts',
    ['test/src/ticket/finality.test.ts'],
    [['permit.slot <= slot)', 'permit.slot < 0)']],
  ),
  ...mutantsOf(
    'src/ticket/reconcile.ts',
    ['test/src/ticket/finality.test.ts'],
    [['transaction.slot <= slot) ??', 'transaction.slot >= 0) ??']],
  ),
  ...mutantsOf(
    'src/claim/recheck-confirmed.ts',
    ['test/src/ticket/finality.test.ts'],
    [['await reopenClaim(context, claim);', '']],
  ),
  ...mutantsOf(
    'adapters/fan/public-documents.ts',
    ['test/adapters/fan/public-documents.test.ts'],
    [['chains[mode]?.publicRpcUrl ?? null', 'config.chains[mode].rpcUrl ?? null']],
  ),
];
