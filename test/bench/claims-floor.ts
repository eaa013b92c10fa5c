import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { Connection, PublicKey } from '@solana/web3.js';
import { Account, FailedTransactionMetadata, LiteSvm } from 'litesvm/dist/internal.js';
import type { Chain } from '../../src/chain/chains.ts';
import { configAddress } from '../../src/chain/instruction/program-addresses.ts';
import type { Driven } from './drive.ts';

/** Accounts as they stand on the network, by address. */
type Accounts = Map<PublicKey, Account>;

const ACCOUNTS_PER_CALL = 100;
const REPEATS = 3;

/** Reads what transfers of these permits look at and write. */
export async function readAccounts(chain: Chain, feePayer: PublicKey, permits: readonly string[]): Promise<Accounts> {
  const connection = new Connection(chain.publicRpcUrl ?? '', 'confirmed');
  const addresses = [configAddress(chain.programId).address, ...permits].map((address) => new PublicKey(address));
  addresses.push(feePayer);
  const accounts: Accounts = new Map();
  for (let at = 0; at < addresses.length; at += ACCOUNTS_PER_CALL) {
    const page = addresses.slice(at, at + ACCOUNTS_PER_CALL);
    for (const [index, found] of (await connection.getMultipleAccountsInfo(page)).entries()) {
      const address = page[index];
      if (!found || !address) throw new Error('an account is missing');
      const { lamports, data, owner, executable } = found;
      accounts.set(address, new Account(BigInt(lamports), data, owner.toBytes(), executable, 0n));
    }
  }
  return accounts;
}

/**
 * The floor: the VM executes the very transactions of the claims and nothing else.
 * @param perRequest how many make one operation
 */
export async function runTransfers(
  programId: string,
  accounts: Accounts,
  transfers: readonly Uint8Array[],
  perRequest: number,
): Promise<Driven> {
  const elf = readLocalProgram().elf;
  const rates = Array.from({ length: REPEATS }, () =>
    transactionsPerSecond(openVm(programId, elf, accounts), transfers),
  );
  return { perSecond: Math.max(...rates) / perRequest, p50: 0, p99: 0 };
}

function transactionsPerSecond(vm: LiteSvm, transactions: readonly Uint8Array[]): number {
  const started = performance.now();
  for (const transaction of transactions) {
    const result = vm.sendVersionedTransaction(transaction);
    if (result instanceof FailedTransactionMetadata) throw new Error(result.meta().logs().join('\n'));
  }
  return (transactions.length * 1000) / (performance.now() - started);
}

function openVm(programId: string, elf: Uint8Array, accounts: Accounts): LiteSvm {
  const vm = new LiteSvm();
  vm.setBlockhashCheck(false);
  vm.setSigverify(true);
  vm.addProgram(new PublicKey(programId).toBytes(), elf);
  for (const [address, account] of accounts) vm.setAccount(address.toBytes(), account);
  return vm;
}
