/**
 * Abuse: what keeps the sending of codes from being turned into money (SMS pumping) or into a nuisance. Only production
 * comes here, sandbox sends nothing. A code passes, in this order: the kind of number and its country
 * (`check-number.ts`), counts per address, number and range of numbers (`count-request.ts`), the breaker (`pass-breaker.ts`), the
 * client's count and the day's budget (`spend-budget.ts`). A code that is not sent gives all of them back but the address
 * (`take-all.ts`). All state is in the database, so that it holds over all processes. This file is what of it can be configured.
 */
export interface CodeLimits {
  /** Codes per number and hour; twice as many per day. */
  perPhone: number;
  /** Codes per range of 10,000 numbers and hour. */
  perRange: number;
  /** Codes asked for per IPv4 address, or IPv6 network of 64 bits, and hour. */
  perAddress: number;
  /** Codes per client and hour. */
  perClient: number;
  /** Codes per day (of UTC), all in all. */
  perDay: number;
  /** ISO 3166-1 alpha-2 of the countries that get codes; undefined: all. */
  countries: ReadonlySet<string> | undefined;
  /** The breaker judges a country once so many codes went there within its window. */
  breakerSample: number;
  /** Of so many codes, in percent, fewer typed in than this stop the sending; 0: never. */
  breakerPercent: number;
}
