/**
 * Forms that a numbering plan has ended, each with the form that took its place, in E.164. Address books still have them. Only those are
 * here that name exactly one number of today, and that are too short or too long by today's plan: no fan is stored under one, and nobody
 * else can have it. So neither Brazil's mobile numbers of before the ninth digit, which may be a landline, nor Vietnam's of eleven digits
 * and Gabon's of seven, which still count as possible.
 *
 * @see https://www.itu.int/oth/T0202.aspx?parent=T0202 the national plans: Mexico 2019, Côte d'Ivoire 2021, Benin 2024
 * @see https://github.com/google/libphonenumber/blob/master/resources/carrier/en/225.txt the networks of Côte d'Ivoire before 2021
 */
const ENDED: readonly (readonly [form: RegExp, current: string])[] = [
  // Mexico: mobile numbers have no 1 after the country code any more, nor the prefixes that were dialled before them
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  // Benin: every number begins with 01
  [/^\+229(\d{8})$/, '+22901$1'],
  // Côte d'Ivoire: a mobile number begins with two digits for its network: Moov, MTN, Orange. Numbers of networks that closed are nobody's,
  // and with 01 or 07 before them may be somebody's since
  [/^\+225((?:0[1-3]|[457][0-3])\d{6})$/, '+22501$1'],
  [/^\+225([04-9][4-6]\d{6})$/, '+22505$1'],
  [/^\+225((?:[04578][7-9]|[69][78])\d{6})$/, '+22507$1'],
];

/** A number in the form that its country's plan has now. @param number a plus sign and digits */
export function currentPhoneForm(number: string): string {
  for (const [form, current] of ENDED) if (form.test(number)) return number.replace(form, current);
  return number;
}
