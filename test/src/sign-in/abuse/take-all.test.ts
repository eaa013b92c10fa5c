import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { takeAll } from '../../../../src/sign-in/abuse/take-all.ts';

const log = pino({ level: 'silent' });

/** Takes that write down what happens to them. */
function takesOf(done: string[], names: string[], failing: string[] = []) {
  return names.map((name) => async () => {
    done.push(`take ${name}`);
    return async () => {
      if (failing.includes(name)) throw new Error(`${name} can not be given back`);
      done.push(`give ${name} back`);
    };
  });
}

it('work that succeeds keeps everything that was taken', async () => {
  const done: string[] = [];
  expect(await takeAll({ log }, takesOf(done, ['a', 'b']), async () => 'sent')).toBe('sent');
  expect(done).toEqual(['take a', 'take b']);
});

it('a take that is refused gives back those before it, the newest first, and nothing after it is taken', async () => {
  const done: string[] = [];
  const [a, b, c] = takesOf(done, ['a', 'b', 'c']);
  if (!a || !b || !c) throw new Error('three takes');
  const refused = new Error('refused');
  const work = vi.fn();
  await expect(takeAll({ log }, [a, b, () => Promise.reject(refused), c], work)).rejects.toBe(refused);
  expect(done).toEqual(['take a', 'take b', 'give b back', 'give a back']);
  expect(work).not.toHaveBeenCalled();
});

it('one that cannot be given back does not keep the others, nor hide why no code was sent', async () => {
  const done: string[] = [];
  const failure = new Error('the provider is down');
  const work = () => Promise.reject(failure);
  await expect(takeAll({ log }, takesOf(done, ['a', 'b', 'c'], ['b']), work)).rejects.toBe(failure);
  expect(done.slice(3)).toEqual(['give c back', 'give a back']);
});
