/** The errors of the ticket program. Order is part of the contract: an error's code is its index. */
export interface ProgramError {
  readonly name: string;
  readonly message: string;
}

/** Anchor's convention: a program's own errors are numbered from here. */
export const FIRST_ERROR_CODE = 6000;

export const ERRORS = [
  { name: 'BadInstruction', message: 'No such instruction, or its data does not have the exact length' },
  { name: 'MissingSignature', message: 'An account that must sign did not' },
  { name: 'WrongOwner', message: 'This account is not the owner of the permit' },
  { name: 'WrongAuthority', message: 'This account is not the one that may do this' },
  { name: 'BadAccount', message: 'An account is not of the expected kind or belongs to another program' },
  { name: 'BadPda', message: 'An account is not at the address that its seeds give' },
  { name: 'AlreadyExists', message: 'The account to create exists already' },
  { name: 'NotWritable', message: 'An account that must be writable is not' },
  { name: 'WrongState', message: 'The permit is not in the state that this needs' },
  { name: 'BadPrice', message: 'The price must be more than zero' },
  { name: 'BadDestination', message: 'The new owner must be another wallet, and neither zero nor the permit itself' },
  { name: 'BadMarketplace', message: 'The marketplace must be neither zero nor the permit itself' },
  { name: 'WrongListing', message: 'The permit has another listing than the one that the transfer names' },
  { name: 'WrongPrice', message: 'The listing has another price than the one that the transfer names' },
  { name: 'WrongSize', message: 'An account of this program does not have the size of its kind' },
  { name: 'WrongVersion', message: 'An account was made by another version of this program' },
  { name: 'SameKey', message: 'This key is there already' },
  { name: 'TooEarly', message: 'The event can be closed later only: after its end and the grace period' },
  { name: 'WrongReceiver', message: 'The lamports of a closed account go to the payer that the configuration names' },
] as const satisfies readonly ProgramError[];

export type ErrorName = (typeof ERRORS)[number]['name'];

/** The `Custom` code that the runtime reports for an error of the program. */
export function errorCode(name: ErrorName): number {
  return FIRST_ERROR_CODE + ERRORS.findIndex((error) => error.name === name);
}
