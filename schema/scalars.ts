import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z');

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

builder.scalarType('DateTime', {
  description: 'A time in RFC 3339, UTC: `2026-11-21T18:00:00.000Z`.',
  serialize: (value: Date) => value.toISOString(),
  parseValue: (value: unknown) => {
    const moment = typeof value === 'string' && RFC3339.test(value) ? new Date(value) : undefined;
    // the database has no year 0
    if (moment === undefined || !(moment.getTime() >= FIRST_YEAR)) {
      throw new GraphQLError('A DateTime is written like 2026-11-21T18:00:00Z.');
    }
    return moment;
  },
});

builder.scalarType('BigInt', {
  description: 'A whole number of any size, as a string of digits.',
  serialize: (value: bigint | string | number) => String(value),
  parseValue: (value: unknown) => {
    if ((typeof value !== 'string' && typeof value !== 'number') || !/^-?\d{1,20}$/.test(String(value))) {
      throw new GraphQLError('A BigInt is a string of digits.');
    }
    return BigInt(value);
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value: unknown) => value,
  parseValue: (value: unknown) => value,
});
