import { expect, it, vi } from 'vitest';
import { giveWay, inSlices } from '../../../src/platform/in-slices.ts';

function busy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

it('long work is done in order, and others have turns between its slices', async () => {
  const done: number[] = [];
  let turns = 0;
  const other = setInterval(() => (turns += 1), 0);
  await inSlices(Array(100).keys(), (item) => {
    busy(1);
    done.push(item);
  });
  clearInterval(other);
  expect(done).toEqual([...Array(100).keys()]);
  expect(turns).toBeGreaterThan(20);
});

it('what the work throws ends it', async () => {
  const done: number[] = [];
  const work = inSlices([1, 2, 3], (item) => {
    if (item === 2) throw new RangeError('two');
    done.push(item);
  });
  await expect(work).rejects.toThrow('two');
  expect(done).toEqual([1]);
});

it('work gives way until the others have nothing more to do', async () => {
  // a clock of the test's own: beside load, eight milliseconds of work can take longer than the patience of fifty
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  let left = 4;
  const other = () => {
    time += 2;
    left -= 1;
    if (left > 0) setImmediate(other);
  };
  setImmediate(other);
  await giveWay();
  clock.mockRestore();
  expect(left).toBe(0);
});

it('work goes on although the others never end', async () => {
  let isOver = false;
  const other = () => {
    busy(2);
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await giveWay();
  isOver = true;
});
