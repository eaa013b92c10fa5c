import type { FilterQuery } from '@mikro-orm/core';
import { isSupportedCountry } from 'libphonenumber-js';
import type { Context } from '../context.ts';
import { Client } from '../entities/client.ts';
import { Fan } from '../entities/fan.ts';
import type { KillSwitch } from '../entities/kill-switch.ts';
import { DomainError } from '../errors.ts';
import { tryUuidOf } from '../identifier/type-id.ts';

/** What a kill switch stops. */
export type KillSwitchTarget =
  | { kind: 'client'; clientId: string }
  | { kind: 'fan'; fanId: string }
  | { kind: 'co_signing' }
  /** ISO 3166-1 alpha-2. */
  | { kind: 'sms_country'; country: string };

/** The row that stands for a target while it is stopped, but for who stopped it and why. */
export interface TargetRow {
  kind: KillSwitch['kind'];
  client: string | null;
  fan: string | null;
  country: string | null;
}

/** @throws DomainError `not_found` for a client or fan that is not there, `invalid_request` for no country */
export async function rowOf({ em }: Pick<Context, 'em'>, target: KillSwitchTarget): Promise<TargetRow> {
  const row: TargetRow = { kind: target.kind, client: null, fan: null, country: null };
  switch (target.kind) {
    case 'client': {
      const known = tryUuidOf('client', target.clientId) && (await em.count(Client, { id: target.clientId }));
      if (!known) throw new DomainError('not_found', 'There is no such client.');
      return { ...row, client: target.clientId };
    }
    case 'fan': {
      const known = tryUuidOf('usr', target.fanId) && (await em.count(Fan, { id: target.fanId }));
      if (!known) throw new DomainError('not_found', 'There is no such fan.');
      return { ...row, fan: target.fanId };
    }
    case 'sms_country': {
      const country = target.country.toUpperCase();
      if (!isSupportedCountry(country)) {
        throw new DomainError('invalid_request', 'country must be two letters of ISO 3166-1, such as US.');
      }
      return { ...row, country };
    }
    case 'co_signing':
      return row;
  }
}

/** How audit entries name what was stopped. */
export function subjectOf({ kind, client, fan, country }: TargetRow): string {
  return client ?? fan ?? (country === null ? kind : `${kind}:${country}`);
}

/** Finds the row of a target. */
export function whereTarget({ kind, client, fan, country }: TargetRow): FilterQuery<KillSwitch> {
  return { kind, client, fan, country };
}
