import type { FilterQuery } from '@mikro-orm/core';
import { isSupportedCountry } from 'libphonenumber-js';
import { Client } from '../../entities/client.ts';
import { Fan } from '../../entities/fan.ts';
import type { KillSwitch, KillSwitchKind } from '../../entities/kill-switch.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import type { Id } from '../../platform/identifier/type-id.ts';

/** What a kill switch stops. */
export type KillSwitchTarget =
  | { kind: 'client'; clientId: string }
  | { kind: 'fan'; fanId: string }
  | { kind: 'co_signing' }
  /** ISO 3166-1 alpha-2. */
  | { kind: 'sms_country'; country: string };

/**
 * @param subject of `client` and `fan` the identifier, of `sms_country` the country, of `co_signing` undefined
 * @throws DomainError `invalid_request`
 */
export function targetOf(kind: KillSwitchKind, subject: string | undefined): KillSwitchTarget {
  if (kind === 'co_signing') {
    if (subject !== undefined)
      throw new DomainError('invalid_request', 'co_signing takes no subject: it stops all co-signing.');
    return { kind };
  }
  if (subject === undefined)
    throw new DomainError('invalid_request', `subject must name what to stop: it is required for ${kind}.`);
  switch (kind) {
    case 'client':
      return { kind, clientId: subject };
    case 'fan':
      return { kind, fanId: subject };
    case 'sms_country':
      return { kind, country: subject };
  }
}

/** The row of a stopped target, without actor and reason. */
export interface TargetRow {
  kind: KillSwitchKind;
  client: Id<'client'> | null;
  fan: Id<'usr'> | null;
  country: string | null;
}

/** @throws DomainError `not_found` for an unknown client or fan, `invalid_request` for an unknown country */
export async function rowOf({ em }: Pick<Context, 'em'>, target: KillSwitchTarget): Promise<TargetRow> {
  const row: TargetRow = { kind: target.kind, client: null, fan: null, country: null };
  switch (target.kind) {
    case 'client': {
      const id = knownId('client', target.clientId);
      if ((await em.count(Client, { id })) === 0) throw nothingUnder('client', id);
      return { ...row, client: id };
    }
    case 'fan': {
      const id = knownId('usr', target.fanId);
      if ((await em.count(Fan, { id })) === 0) throw nothingUnder('usr', id);
      return { ...row, fan: id };
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

/** The subject of audit entries. */
export function subjectOf({ kind, client, fan, country }: TargetRow): string {
  return client ?? fan ?? (country === null ? kind : `${kind}:${country}`);
}

export function whereTarget({ kind, client, fan, country }: TargetRow): FilterQuery<KillSwitch> {
  return { kind, client, fan, country };
}
