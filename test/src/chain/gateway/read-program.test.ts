import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { programDataAddress } from '@fan-api/cosign-policy/program-addresses';
import { addressOf } from '@fan-api/solana-wire/base58';
import { UPGRADEABLE_LOADER } from '@fan-api/ticket-program/description';
import { expect, it } from 'vitest';
import { u32, u64 } from '../../../../packages/ticket-program/test/loader.ts';
import { readProgram } from '../../../../src/chain/gateway/read-program.ts';
import { randomAddress } from '../../../support/ticket-transactions.ts';

const PROGRAM = randomAddress();
const AUTHORITY = randomAddress();
const SYSTEM = '11111111111111111111111111111111';
const CODE = Buffer.from('code');

const account = (owner: string, data: Uint8Array, executable = false) => ({
  owner,
  executable,
  lamports: 1,
  data: [Buffer.from(data).toString('base64'), 'base64'],
});
const programAccount = (executable = true) =>
  account(UPGRADEABLE_LOADER, Buffer.concat([u32(2), addressBytes(programDataAddress(PROGRAM).address)]), executable);
const programData = (flag = 1, state = 3) =>
  account(UPGRADEABLE_LOADER, Buffer.concat([u32(state), u64(77), Uint8Array.of(flag), addressBytes(AUTHORITY), CODE]));

/** @param value what the node says of the program and of its ProgramData account */
function read(...value: unknown[]) {
  return readProgram(async (method, [addresses]) => {
    expect([method, addresses]).toEqual(['getMultipleAccounts', [PROGRAM, programDataAddress(PROGRAM).address]]);
    return { result: { context: { slot: 1 }, value } };
  }, PROGRAM);
}

it('a deployed program: its upgrade authority, slot and code', async () => {
  expect(await read(programAccount(), programData())).toEqual({
    state: 'deployed',
    upgradeAuthority: AUTHORITY,
    slot: 77,
    code: CODE,
  });
});

it('an immutable program has no upgrade authority, though the bytes of the key are there', async () => {
  expect(addressOf(Buffer.from(programData(0).data[0] ?? '', 'base64').subarray(13, 45))).toBe(AUTHORITY);
  expect(await read(programAccount(), programData(0))).toMatchObject({ state: 'deployed', upgradeAuthority: null });
});

it('no account, or one that somebody only sent lamports to, is an absent program', async () => {
  expect(await read(null, null)).toEqual({ state: 'absent' });
  expect(await read(account(SYSTEM, Buffer.alloc(0)), null)).toEqual({ state: 'absent' });
});

it.each<[string, unknown, unknown]>([
  ['of another owner', account(SYSTEM, u32(2)), null],
  ['that is not executable', programAccount(false), programData()],
  [
    'that is a buffer of the loader',
    account(UPGRADEABLE_LOADER, Buffer.concat([u32(1), Buffer.alloc(33)]), true),
    null,
  ],
  ['whose code was closed', programAccount(), null],
  ['whose code is of another kind', programAccount(), programData(1, 1)],
  ['whose code account is cut', programAccount(), account(UPGRADEABLE_LOADER, Buffer.alloc(44))],
])('an account %s is no deployed program', async (_, program, data) => {
  expect(await read(program, data)).toMatchObject({ state: 'other' });
});

it('an account in an unknown form is the fault of the node', async () => {
  await expect(read({ owner: SYSTEM }, null)).rejects.toMatchObject({ code: 'unavailable' });
});
