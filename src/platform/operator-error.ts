/** Its message tells whoever runs the service all they need: it is printed without a stack. */
export class OperatorError extends Error {}
