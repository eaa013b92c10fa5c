import { isLocalGenesisHash } from '@fan-api/solana-wire/local-network';
import { LOCAL_ADMIN, LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import type { Mode } from '../platform/mode.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { ChainGateway } from './gateway/gateway.ts';

/** A public key pair of the local network is configured for another cluster. */
export class PublicKeyError extends OperatorError {
  override readonly name = 'PublicKeyError';
}

/**
 * The local network's private keys are in this repository. They are accepted only in sandbox, on a cluster with a local genesis hash;
 * elsewhere neither the program's address nor its admin or upgrade authority may be one of them.
 * @returns whether the cluster is a local network whose program we set up
 * @throws PublicKeyError; DomainError `unavailable` where the cluster is unreachable
 */
export async function checkPublicKeys(
  gateway: Pick<ChainGateway, 'programId' | 'genesisHash' | 'config' | 'program'>,
  mode: Mode,
): Promise<boolean> {
  const isLocal = mode === 'sandbox' && isLocalGenesisHash(await gateway.genesisHash());
  if (isLocal) return gateway.programId === LOCAL_PROGRAM_ID;
  const variable = mode === 'sandbox' ? 'SANDBOX_PROGRAM_ID' : 'PRODUCTION_PROGRAM_ID';
  if (gateway.programId === LOCAL_PROGRAM_ID) {
    throw new PublicKeyError(
      `${variable} is the local network's program, ${LOCAL_PROGRAM_ID}, whose key is public knowledge. ` +
        `The RPC URL of ${mode} leads to another cluster; deploy the program under an address of your own. ${REFUSED}`,
    );
  }
  const [config, program] = await Promise.all([gateway.config(), gateway.program()]);
  const isPublic = `${LOCAL_ADMIN}, whose key is public knowledge`;
  if (config?.admin === LOCAL_ADMIN) {
    throw new PublicKeyError(
      `The ticket program ${gateway.programId} of ${mode} has the local network's admin, ${isPublic}: anybody could ` +
        `replace our authority. Deploy the program under another address, with keys of your own. ${REFUSED}`,
    );
  }
  if (program.state === 'deployed' && program.upgradeAuthority === LOCAL_ADMIN) {
    throw new PublicKeyError(
      `The ticket program ${gateway.programId} of ${mode} has the local network's admin as its upgrade authority, ` +
        `${isPublic}: anybody could replace the program. Deploy it under another address, with keys of your own. ${REFUSED}`,
    );
  }
  return false;
}

/** @throws PublicKeyError where a cluster's genesis hash is not that of a local network */
export async function requireLocalNetwork(gateway: Pick<ChainGateway, 'genesisHash'>): Promise<void> {
  const genesisHash = await gateway.genesisHash();
  if (isLocalGenesisHash(genesisHash)) return;
  throw new PublicKeyError(
    `The local network's public admin key is not used on the cluster with the genesis hash ${genesisHash}. ${REFUSED}`,
  );
}

const REFUSED = 'Nothing was signed.';
