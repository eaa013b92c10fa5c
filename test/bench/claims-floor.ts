import { readFile } from 'node:fs/promises';
import { Account, FailedTransactionMetadata, LiteSvm } from 'litesvm/dist/internal.js';
import { addressBytes } from '../../src/chain/base58.ts';
import { encodeAccount } from '../../src/chain/instruction/account-data.ts';
import { configAddress } from '../../src/chain/instruction/program-addresses.ts';
import { PERMIT_STATES } from '../../src/chain/program/describe-program.ts';
import type { Sales } from './claims.ts';
import type { Driven } from './drive.ts';
import type { Market, Trader } from './listings-market.ts';

const PER_REQUEST = 10;
const REPEATS = 3;
const LAMPORTS = 1_000_000_000_000n;

/** The floor: the VM executes the very transactions of the claims, ten of them as one request, and nothing else. */
export async function runTransfers(market: Market, sales: Sales): Promise<Driven> {
  const elf = await readFile(new URL('../../src/chain/program/permit.so', import.meta.url));
  const rates: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) rates.push(run(openVm(market, sales.seller, elf), sales.transfers));
  return { perSecond: Math.max(...rates), p50: 0, p99: 0 };
}

/** @returns requests per second */
function run(vm: LiteSvm, transfers: readonly Uint8Array[]): number {
  const started = performance.now();
  for (const transfer of transfers) {
    const result = vm.sendVersionedTransaction(transfer);
    if (result instanceof FailedTransactionMetadata) throw new Error(result.meta().logs().join('\n'));
  }
  return (transfers.length * 1000) / PER_REQUEST / (performance.now() - started);
}

/** A VM where the permits stand as they did on the network: listed by the seller, with the marketplace's fees paid for. */
function openVm({ chain, marketplace, permits }: Market, seller: Trader, elf: Uint8Array): LiteSvm {
  const vm = new LiteSvm();
  vm.setBlockhashCheck(false);
  vm.setSigverify(true);
  vm.addProgram(addressBytes(chain.programId), elf);
  const program = addressBytes(chain.programId);
  const put = (address: string, data: Uint8Array, owner: Uint8Array) =>
    vm.setAccount(addressBytes(address), new Account(LAMPORTS, data, owner, false, 0n));
  const { address: config, bump } = configAddress(chain.programId);
  const { authority } = chain;
  put(config, encodeAccount('Config', { authority, admin: authority, bump }), program);
  put(marketplace.publicKey.toBase58(), new Uint8Array(), new Uint8Array(32));
  for (const permit of permits) {
    const listed = {
      event: seller.wallet,
      ticket_id: addressBytes(permit),
      owner: seller.wallet,
      state: PERMIT_STATES.listed,
      marketplace: marketplace.publicKey.toBase58(),
      price: 1_000n,
      bump: 0,
    };
    put(permit, encodeAccount('Permit', listed), program);
  }
  return vm;
}
