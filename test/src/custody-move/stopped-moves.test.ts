import { describe, expect, it } from 'vitest';
import { setKillSwitch } from '../../../src/kill-switch/kill-switch.ts';
import { rows } from '../../support/chain-app.ts';
import { movesStage } from './moves-stage.ts';

/** D-187: what staff have stopped stops a move, on the side of the giver and of the receiver. */
const stage = movesStage(8);
const { order, read, carryOut } = stage;

describe('staff stop a move', () => {
  it.each([
    ['co-signing', () => ({ kind: 'co_signing' as const })],
    ['the fan', () => ({ kind: 'fan' as const, fanId: stage.owner.id })],
    ['the fan who would get it', () => ({ kind: 'fan' as const, fanId: stage.other.id })],
    ['the country of the fan’s number', () => ({ kind: 'sms_country' as const, country: 'US' })],
    ['the country of the number of the fan who would get it', () => ({ kind: 'sms_country' as const, country: 'GB' })],
  ])('by the kill switch on %s: nothing is signed', async (_, target) => {
    await rows(stage.app, `update fan set phone = '+447700900123' where phone = $1`, [stage.other.phone]);
    try {
      const move = await order({ to: { fanId: stage.other.id } });
      await setKillSwitch(stage.app.context(), target(), 'a test', 'staff:test');
      await carryOut();
      expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringContaining('Staff have stopped') });
      expect(stage.app.proxy.count('sendTransaction')).toBe(0);
    } finally {
      await rows(stage.app, `update fan set phone = $1 where phone = '+447700900123'`, [stage.other.phone]);
    }
  });
});
