import { Keypair } from '@solana/web3.js';
import type { Chain, Chains } from '../../chain/chains.ts';
import { unavailable } from '../../chain/gateway/ask.ts';
import type { ChainGateway } from '../../chain/gateway/gateway.ts';
import { isUnreadable, type PermitAccount } from '../../chain/gateway/read-accounts.ts';
import type { Failure } from '../../entities/simulation.ts';

/**
 * The chains of one call that meets a failure of the cluster. The call's own code reads it at the gateway, as it would read the real
 * failure; production is left as it is.
 */
export function simulatedChains(chains: Chains, failure: Failure | undefined, isClaim: boolean): Chains {
  const { sandbox } = chains;
  const simulate = sandbox && gatewayOf(sandbox.gateway, failure, isClaim);
  if (!simulate) return chains;
  const copy: Chain = Object.create(sandbox, { gateway: { value: simulate } });
  return { ...chains, sandbox: copy };
}

function gatewayOf(gateway: ChainGateway, failure: Failure | undefined, isClaim: boolean): ChainGateway | undefined {
  switch (failure) {
    case 'cluster_down':
      return unreachable(gateway);
    case 'blockhash_expired':
      return withExpiredBlockhashes(gateway, isClaim);
    case 'listing_sold':
      return withSoldTickets(gateway, isClaim);
    default:
      return undefined;
  }
}

function unreachable(gateway: ChainGateway): ChainGateway {
  return new Proxy(gateway, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      return typeof member === 'function' ? () => Promise.reject(unavailable()) : member;
    },
  });
}

type Replaced = { [Name in 'permits' | 'signingState' | 'blockhash']?: ChainGateway[Name] };

/**
 * Replaces reads by which a request is checked. Claims that are stored already are settled by the cluster's real answers; otherwise a
 * simulated failure would end a claim that lands. The check of a claim begins with `permits`, and where another read is the first, nothing
 * is checked (`claim/check-onchain.ts`).
 */
function whileChecking(gateway: ChainGateway, isClaim: boolean, replaced: Replaced): ChainGateway {
  let checks: boolean | undefined = isClaim ? undefined : true;
  return new Proxy(gateway, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      checks ??= name === 'permits';
      const other: unknown = checks ? Reflect.get(replaced, name) : undefined;
      return other ?? member.bind(target);
    },
  });
}

/** 32 zero bytes, which no slot has. */
const NO_BLOCKHASH = '1'.repeat(32);

/** Asks the node, because a cached answer has an older slot than the permit and so proves nothing. */
function withExpiredBlockhashes(gateway: ChainGateway, isClaim: boolean): ChainGateway {
  return whileChecking(gateway, isClaim, {
    blockhash: (_, notBefore) => gateway.blockhash(NO_BLOCKHASH, notBefore),
  });
}

function withSoldTickets(gateway: ChainGateway, isClaim: boolean): ChainGateway {
  const buyer = Keypair.generate().publicKey.toBase58();
  const sold = (permit: PermitAccount): PermitAccount => ({
    ...permit,
    owner: buyer,
    state: 'held',
    marketplace: null,
    price: 0n,
  });
  return whileChecking(gateway, isClaim, {
    permits: async (addresses, notBefore) =>
      (await gateway.permits(addresses, notBefore)).map((permit) =>
        permit === undefined || isUnreadable(permit) ? permit : sold(permit),
      ),
    signingState: async (permits, marketplaces, notBefore) => {
      const state = await gateway.signingState(permits, marketplaces, notBefore);
      return { ...state, permits: state.permits.map((permit) => permit && sold(permit)) };
    },
  });
}
