import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalnet, urlOf } from '@fan-api/localnet';
import { isLocalGenesisHash, newGenesisHash } from '@fan-api/solana-wire/local-network';
import { LOCAL_ADMIN, LOCAL_PROGRAM_ID } from '@fan-api/ticket-program/local-keys';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { Keypair } from '@solana/web3.js';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openChains } from '../../../../adapters/process/open-chains.ts';
import { openLocalnet } from '../../../../adapters/process/open-localnet.ts';
import { checkPublicKeys, PublicKeyError } from '../../../../src/chain/check-public-keys.ts';
import { type ChainGateway, createGateway } from '../../../../src/chain/gateway/gateway.ts';
import { setUpLocalProgram } from '../../../../src/sandbox/set-up-local-program.ts';
import { rows } from '../../../support/chain-app.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

/** The local network's public keys work nowhere else, and it listens on loopback. */
const app = await testChainApp();

/** The real gateway to the local network, which claims to be another cluster. */
function foreign(programId = LOCAL_PROGRAM_ID): ChainGateway {
  const gateway = createGateway({ rpcUrl: app.network.url, programId });
  return { ...gateway, genesisHash: async () => randomAddress() };
}

/** The same program with the same admin under an address that nobody knows. */
function moved(gateway: ChainGateway): ChainGateway {
  return { ...gateway, programId: randomAddress() };
}

it('the genesis hash of a local network is told from every other, however it is written', async () => {
  expect(isLocalGenesisHash(await app.connection.getGenesisHash())).toBe(true);
  expect(newGenesisHash()).not.toBe(newGenesisHash());
  for (let count = 0; count < 50; count++) {
    expect(isLocalGenesisHash(newGenesisHash())).toBe(true);
    expect(isLocalGenesisHash(Keypair.generate().publicKey.toBase58())).toBe(false);
  }
  const clusters = [
    '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
  ];
  for (const hash of [...clusters, '', 'not base58', '1'.repeat(32)]) expect(isLocalGenesisHash(hash)).toBe(false);
});

describe('the public keys', () => {
  it('count on the local network in sandbox, whose program is ours to set up', async () => {
    expect(await checkPublicKeys(app.chain.gateway, 'sandbox')).toBe(true);
    const own = createGateway({ rpcUrl: app.network.url, programId: randomAddress() });
    expect(await checkPublicKeys(own, 'sandbox')).toBe(false);
  });

  it('the public program address on another cluster: refused in both modes', async () => {
    await expect(checkPublicKeys(foreign(), 'sandbox')).rejects.toThrow(
      /SANDBOX_PROGRAM_ID is the local network's program, \w+, whose key is public knowledge.*Nothing was signed/,
    );
    await expect(checkPublicKeys(foreign(), 'production')).rejects.toThrow(PublicKeyError);
  });

  it('the public admin in the Config account of another cluster: refused in both modes', async () => {
    expect((await app.chain.gateway.config())?.admin).toBe(LOCAL_ADMIN);
    for (const mode of ['sandbox', 'production'] as const) {
      await expect(checkPublicKeys(moved(foreign()), mode)).rejects.toThrow(
        new RegExp(
          `of ${mode} has the local network's admin, ${LOCAL_ADMIN}.*replace our authority.*Nothing was signed`,
        ),
      );
    }
  });

  it('production refuses them on a local network as well', async () => {
    await expect(checkPublicKeys(app.chain.gateway, 'production')).rejects.toThrow(PublicKeyError);
    await expect(checkPublicKeys(moved(app.chain.gateway), 'production')).rejects.toThrow(PublicKeyError);
  });

  it('the public admin as the upgrade authority of a program of another cluster: refused in both modes', async () => {
    expect(await app.chain.gateway.program()).toMatchObject({ state: 'deployed', upgradeAuthority: LOCAL_ADMIN });
    const gateway = { ...moved(foreign()), config: async () => undefined };
    for (const mode of ['sandbox', 'production'] as const) {
      await expect(checkPublicKeys(gateway, mode)).rejects.toThrow(
        new RegExp(`of ${mode} has .* upgrade authority, ${LOCAL_ADMIN}.*replace the program.*Nothing was signed`),
      );
    }
  });

  it('other keys, an immutable program, or one that is not deployed or initialised yet, are no concern', async () => {
    const config = await app.chain.gateway.config();
    const program = await app.chain.gateway.program();
    if (!config || program.state !== 'deployed') throw new Error('the program is initialised');
    const others = { ...config, admin: randomAddress() };
    const pairs = [
      { config: undefined, program: { state: 'absent' } as const },
      { config: undefined, program: { ...program, upgradeAuthority: randomAddress() } },
      { config: others, program: { ...program, upgradeAuthority: null } },
    ];
    for (const { config, program } of pairs) {
      const gateway = { ...moved(foreign()), config: async () => config, program: async () => program };
      expect(await checkPublicKeys(gateway, 'production')).toBe(false);
    }
  });

  it('initialising with the public key is refused on another cluster before anything is signed', async () => {
    const signer = { ...app.runtime.signer, sign: () => Promise.reject(new Error('nothing is to be signed')) };
    const airdrop = () => Promise.reject(new Error('no airdrop'));
    const gateway = { ...foreign(), config: async () => undefined, airdrop };
    await expect(setUpLocalProgram({ ...app.chain, gateway }, signer)).rejects.toThrow(
      /public admin key is not used on the cluster with the genesis hash/,
    );
  });

  it('the service does not start with production on a program that has the public admin', async () => {
    const named = { rpcUrl: app.network.url, programId: LOCAL_PROGRAM_ID };
    const production = { ...named, publicRpcUrl: undefined };
    const config = { ...app.config, chains: { ...app.config.chains, production } };
    await expect(openChains({ ...app.runtime, config })).rejects.toThrow(PublicKeyError);
    expect(await rows(app, "select 1 from chain_cluster where mode = 'production'")).toEqual([]);
  });
});

describe('the interface of the local network', () => {
  const programs = [readLocalProgram()];

  it('is loopback', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'localnet-'));
    try {
      const config = { ...app.config, dataDir, localnetPort: 0 };
      const network = await openLocalnet(config, pino({ level: 'silent' }), app.chain.authority);
      const { hostname, port } = new URL(network.url);
      expect(hostname).toBe('127.0.0.1');
      await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow();
      await network.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('is loopback for whoever starts a network without naming one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'localnet-'));
    const network = await startLocalnet({ port: 0, dataDir, programs });
    try {
      await expect(fetch(`http://127.0.0.2:${network.port}/health`)).rejects.toThrow();
      expect((await fetch(`${network.url}/health`)).ok).toBe(true);
    } finally {
      await network.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('a wildcard is reached at loopback, an IPv6 address in brackets', () => {
    expect(urlOf('0.0.0.0', 1)).toBe('http://127.0.0.1:1');
    expect(urlOf('::', 1)).toBe('http://[::1]:1');
    expect(urlOf('fe80::1', 1)).toBe('http://[fe80::1]:1');
    expect(urlOf('192.0.2.1', 1)).toBe('http://192.0.2.1:1');
  });
});
