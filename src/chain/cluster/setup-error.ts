import { OperatorError } from '../../platform/operator-error.ts';

/** A step cannot be taken now; the message says what the operator has to do. */
export class SetupError extends OperatorError {
  override readonly name = 'SetupError';
}

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** An amount for an operator: SOL with up to nine decimals. */
export function inSol(lamports: bigint): string {
  if (lamports < 0n) return `-${inSol(-lamports)}`;
  const decimals = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${lamports / LAMPORTS_PER_SOL}${decimals && `.${decimals}`}`;
}
