import type { EntityName, FindOptions } from '@mikro-orm/core';
import { Client } from '../src/entities/client.ts';
import { ConsentGrant } from '../src/entities/consent-grant.ts';
import { Event } from '../src/entities/event.ts';
import { Fan } from '../src/entities/fan.ts';
import { Partner } from '../src/entities/partner.ts';
import { Permit } from '../src/entities/permit.ts';
import { ServiceAccount } from '../src/entities/service-account.ts';
import { Staff, StaffToken } from '../src/entities/staff.ts';
import { TestUser } from '../src/entities/test-user.ts';
import { Ticket, TicketType } from '../src/entities/ticket.ts';
import { type IdPrefix, isId } from '../src/platform/identifier/type-id.ts';
import { maskPhone } from '../src/platform/phone-number.ts';
import type { ServiceContext } from '../src/runtime.ts';

type Reader = Pick<ServiceContext, 'em'>;
type Names = (context: Reader, ids: string[]) => Promise<[id: string, name: string][]>;

/** Reads the rows with these identifiers in one statement. */
function rowsOf<Entity extends { id: string }>(
  { em }: Reader,
  entity: EntityName<Entity>,
  ids: string[],
  populate: string[] = [],
): Promise<Entity[]> {
  const rows = em as unknown as {
    find(of: EntityName<Entity>, where: object, options: FindOptions<Entity>): Promise<Entity[]>;
  };
  return rows.find(entity, { id: { $in: ids } }, { populate: populate as never });
}

/** Names rows by their property `name`. */
function named(entity: EntityName<{ id: string; name: string }>): Names {
  return async (context, ids) => (await rowsOf(context, entity, ids)).map(({ id, name }) => [id, name]);
}

const maskedOf = (phone: string | null | undefined): string => (phone ? maskPhone(phone) : 'a fan without a number');

/** Phone numbers are masked, except those of test users, which belong to nobody. */
const nameFans: Names = async (context, ids) => {
  const fans = await rowsOf(context, Fan, ids);
  const users = await context.em.find(TestUser, { fan: { $in: fans.map(({ id }) => id) } });
  const areTests = new Set(users.map(({ fan }) => fan.id));
  return fans.map(({ id, phone }) => [id, areTests.has(id) ? `Test user ${phone}` : maskedOf(phone)]);
};

const nameGrants: Names = async (context, ids) =>
  (await rowsOf(context, ConsentGrant, ids, ['client', 'fan'])).map(({ id, client, fan }) => [
    id,
    `${client.name} for ${maskedOf(fan.phone)}`,
  ]);

const namePermits: Names = async (context, ids) =>
  (await rowsOf(context, Permit, ids, ['ticket.ticketType.event'])).map(({ id, ticket: { ticketType } }) => [
    id,
    `${ticketType.event.name}, ${ticketType.name}`,
  ]);

const nameTickets: Names = async (context, ids) =>
  (await rowsOf(context, Ticket, ids, ['ticketType.event'])).map(({ id, ticketType }) => [
    id,
    `${ticketType.event.name}, ${ticketType.name}`,
  ]);

const nameTicketTypes: Names = async (context, ids) =>
  (await rowsOf(context, TicketType, ids, ['event'])).map(({ id, event, name }) => [id, `${event.name}, ${name}`]);

const NAMES: Partial<Record<IdPrefix, Names>> = {
  client: named(Client),
  evt: named(Event),
  grant: nameGrants,
  perm: namePermits,
  ptn: named(Partner),
  stf: named(Staff),
  stk: named(StaffToken),
  sva: named(ServiceAccount),
  tkt: nameTickets,
  typ: nameTicketTypes,
  usr: nameFans,
};

/**
 * Names of the actors and subjects of audit entries, read with one or two statements per kind; null where there is no name.
 * @param mentioned `staff:stf_…`, or the bare identifier
 */
export async function auditNames(mentioned: string[], context: Reader): Promise<(string | null)[]> {
  const ids = mentioned.map((each) => each.slice(each.indexOf(':') + 1));
  const found = await Promise.all(
    Object.entries(NAMES).map(([prefix, names]) => {
      const ofKind = [...new Set(ids.filter((id) => isId(prefix as IdPrefix, id)))];
      return ofKind.length === 0 ? [] : names(context, ofKind);
    }),
  );
  const names = new Map(found.flat());
  return ids.map((id) => names.get(id) ?? null);
}

/** The options of a field with one of these names: `t.loadable({ ...NAME, resolve: ({ actor }) => actor })`. */
export const NAME = {
  type: 'String' as const,
  nullable: true as const,
  load: (mentioned: string[], { context }: { context: Reader }) => auditNames(mentioned, context),
};
