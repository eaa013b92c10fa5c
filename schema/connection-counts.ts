import { MOST_COUNTED } from './lists.ts';

/** A list whose entries can be counted. */
export interface Counted {
  /** Counts to one more than `MOST_COUNTED`. */
  countUpTo: () => Promise<number>;
}

/** The fields that every connection has besides those of Relay. */
export const CONNECTION_COUNTS = {
  totalCount: {
    description: `Entries of all pages, counted up to ${MOST_COUNTED.toLocaleString('en')}. Counting can take longer than reading a page; select it in a separate call.`,
    resolve: async (connection: Counted) => Math.min(await connection.countUpTo(), MOST_COUNTED),
  },
  hasMoreThanTotal: {
    description: 'Whether there are more entries than `totalCount`.',
    resolve: async (connection: Counted) => (await connection.countUpTo()) > MOST_COUNTED,
  },
};
