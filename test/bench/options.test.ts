import { expect, it } from 'vitest';
import { readOptions } from './options.ts';

it('without options the standard table is measured: every path, memory, start and sign-in', () => {
  const { paths, memory, ready, signIn, growth, processes, mixedSeconds } = readOptions([]);
  expect(paths).toEqual(['exchange', 'refresh', 'userinfo', 'tickets', 'listings', 'claims']);
  expect({ memory, ready, signIn, growth, processes, mixedSeconds }).toEqual({
    memory: true,
    ready: true,
    signIn: true,
    growth: false,
    processes: false,
    mixedSeconds: 0,
  });
});

it('a part that is asked for is measured alone', () => {
  expect(readOptions(['--mixed', '60'])).toMatchObject({ paths: [], memory: false, mixedSeconds: 60 });
  expect(readOptions(['--only', 'tickets,ready'])).toMatchObject({ paths: ['tickets'], ready: true, memory: false });
  expect(readOptions(['--many-tickets'])).toMatchObject({ paths: [], ready: false, manyTickets: true });
  expect(readOptions(['--growth', '--sizes', '10,20'])).toMatchObject({ paths: [], growth: true, sizes: [10, 20] });
});

it('a wrong name or number is refused', () => {
  expect(() => readOptions(['--only', 'ticket'])).toThrow('ticket is none of exchange, refresh');
  expect(() => readOptions(['--rounds', 'x'])).toThrow('--rounds: x is not a number');
});
