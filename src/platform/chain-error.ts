/** `ChainError` and its codes, defined in the co-signing policy, a package that partners run too. */
export {
  CHAIN_FIXES,
  ChainError,
  type ChainErrorCode,
  type ChainErrorContext,
  judgeAt,
} from '@fan-api/cosign-policy/chain-error';
