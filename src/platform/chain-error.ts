/** The words and the class of broken rules. Their source is the co-signing policy, which partners run too. */
export {
  CHAIN_FIXES,
  ChainError,
  type ChainErrorCode,
  type ChainErrorContext,
  judgeAt,
} from '@fan-api/cosign-policy/chain-error';
