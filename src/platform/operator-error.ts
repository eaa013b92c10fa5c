/** An error whose message is all that the operator needs: it is printed without a stack. */
export class OperatorError extends Error {}
