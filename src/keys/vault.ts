/**
 * Where the private keys of wallets, authorities and payers are sealed: a port with two implementations, `KEY_ENCRYPTION_KEY`
 * (`databaseVault`) and an envelope per key with AWS KMS (`envelope-vault.ts`). A setting chooses the one that seals. The others open
 * what they sealed before, until it is re-encrypted.
 *
 * @module
 */
import type { KeyPurpose } from '../entities/encryption-key.ts';
import { type DerivedKeys, type Sealed, seal, unseal, type WithSecrets } from './seal.ts';

export interface KeyVault {
  /** Its id in `sealed_with`. */
  readonly id: string;
  /** The most secrets that are sealed or opened concurrently. */
  readonly sideBySide: number;
  /** Whether it opens secrets with this `sealed_with`. */
  opens(sealedWith: string): boolean;
  /** @throws DomainError `unavailable` where it can't be reached */
  seal(owner: string, secret: Uint8Array): Promise<Sealed>;
  /** @throws DomainError `unavailable` where it can't be reached; Error where it was not sealed for this owner */
  open(owner: string, sealed: string): Promise<Uint8Array>;
}

/** The vaults of a process. */
export interface Custody {
  /** Seals new keys. */
  readonly vault: KeyVault;
  /** @throws Error where no vault of this process opens it; as `KeyVault.open` */
  open(owner: string, sealed: Sealed): Promise<Uint8Array>;
  opens(sealedWith: string): boolean;
}

/** The part of a context that makes and opens the keys of wallets. */
export interface WithCustody {
  custody: Custody;
}

/** @param others vaults that open what they sealed before */
export function createCustody(vault: KeyVault, others: readonly KeyVault[] = []): Custody {
  const vaults = [vault, ...others];
  return {
    vault,
    opens: (sealedWith) => vaults.some((each) => each.opens(sealedWith)),
    async open(owner, { sealed, sealedWith }) {
      const right = vaults.find((each) => each.opens(sealedWith));
      if (right === undefined) throw new Error(`the key of ${owner} is sealed with ${sealedWith}, which is not set up`);
      return right.open(owner, sealed);
    },
  };
}

/** The custody of the secrets of a purpose. */
export function custodyFor({ secrets, custody }: WithSecrets & WithCustody, purpose: KeyPurpose): Custody {
  return purpose === 'custody' ? custody : createCustody(databaseVault(secrets));
}

/** Seals with `KEY_ENCRYPTION_KEY`, and opens what its fallback sealed. */
export function databaseVault(secrets: DerivedKeys): KeyVault {
  const own = new Set(['', secrets.id, ...(secrets.fallback ? [secrets.fallback.id] : [])]);
  return {
    id: secrets.id,
    sideBySide: 100,
    opens: (sealedWith) => own.has(sealedWith),
    seal: (owner, secret) => seal(secrets, owner, secret),
    open: (owner, sealed) => unseal(secrets, owner, sealed),
  };
}
