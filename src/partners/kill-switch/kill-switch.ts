import { decodeAddress } from '@fan-api/solana-wire/base58';
import type { FilterQuery } from '@mikro-orm/core';
import { isSupportedCountry } from 'libphonenumber-js';
import { Client } from '../../entities/client.ts';
import { Fan } from '../../entities/fan.ts';
import { KillSwitch, type KillSwitchKind } from '../../entities/kill-switch.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId, nothingUnder } from '../../platform/identifier/known-id.ts';
import { type Id, newId } from '../../platform/identifier/type-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { type EndsToo, endSalesOf } from '../end-sales.ts';

/**
 * Stops a client, a fan, all co-signing, or codes to a country, from the next call on. A stopped target keeps its first
 * reason. For a client or fan, its sales end where asked for, also of one that is stopped already.
 * @param ends `endsGrants` is for clients only
 * @throws DomainError `invalid_request`, `not_found` for an unknown client or fan, `conflict` with a concurrent lift
 */
export async function setKillSwitch(
  context: WriteContext,
  target: KillSwitchTarget,
  reason: string,
  actor: string,
  ends: EndsToo = {},
): Promise<KillSwitch> {
  const given = givenReason(reason);
  checkEnds(target, ends);
  const row = await rowOf(context, target);
  return context.em.transactional(async (em) => {
    const added = await em
      .createQueryBuilder(KillSwitch)
      .insert({ id: newId('kill'), ...row, reason: given, setBy: actor, setAt: context.now() })
      .onConflict([])
      .ignore()
      .execute<{ affectedRows: number }>('run');
    const within = { ...context, em };
    const { marketplace } = row;
    const by = { actor, reason: given };
    const endsMore =
      (row.client !== null && (await endSalesOf(within, { client: row.client, cause: 'client_stopped' }, ends, by))) ||
      (row.fan !== null && (await endSalesOf(within, { fan: row.fan, cause: 'fan_stopped' }, ends, by))) ||
      (marketplace !== null && (await endSalesOf(within, { marketplace, cause: 'marketplace_stopped' }, ends, by)));
    if (added.affectedRows === 1 || endsMore) {
      const details = { kind: row.kind, reason: given, ...(endsMore && ends) };
      recordAudit(within, { actor, action: 'kill_switch.set', subject: subjectOf(row), details });
    }
    const stopped = await em.findOne(KillSwitch, whereTarget(row));
    if (!stopped) throw new DomainError('conflict', 'Another person just lifted it. Try again.');
    return stopped;
  });
}

/** @throws DomainError `invalid_request` where the target has no such thing to end */
function checkEnds({ kind }: KillSwitchTarget, { endsSales, endsGrants }: EndsToo): void {
  if (endsSales && kind !== 'client' && kind !== 'fan' && kind !== 'marketplace') {
    throw new DomainError('invalid_request', `endsSales is for a client, fan or marketplace, not for ${kind}.`);
  }
  if (endsGrants && kind !== 'client') {
    throw new DomainError('invalid_request', `endsGrants is for a client, not for ${kind}.`);
  }
}

/** @returns whether the target was stopped @throws DomainError `invalid_request`, `not_found` for an unknown client or fan */
export async function liftKillSwitch(
  context: WriteContext,
  target: KillSwitchTarget,
  reason: string,
  actor: string,
): Promise<boolean> {
  const details = { kind: target.kind, reason: givenReason(reason) };
  const row = await rowOf(context, target);
  return context.em.transactional(async (em) => {
    const lifted = await em.nativeDelete(KillSwitch, whereTarget(row));
    if (lifted === 0) return false;
    recordAudit({ ...context, em }, { actor, action: 'kill_switch.lifted', subject: subjectOf(row), details });
    return true;
  });
}

/** What a kill switch stops. */
export type KillSwitchTarget =
  | { kind: 'client'; clientId: string }
  | { kind: 'fan'; fanId: string }
  | { kind: 'co_signing' }
  /** ISO 3166-1 alpha-2. */
  | { kind: 'sms_country'; country: string }
  /** Base58. Nothing new is listed there; what is listed can be sold. */
  | { kind: 'marketplace'; marketplace: string };

/**
 * @param subject of `client` and `fan` the identifier, of `sms_country` the country, of `marketplace` the address, of
 * `co_signing` undefined
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
    case 'marketplace':
      return { kind, marketplace: subject };
  }
}

/** The row of a stopped target, without actor and reason. */
interface TargetRow {
  kind: KillSwitchKind;
  client: Id<'client'> | null;
  fan: Id<'usr'> | null;
  country: string | null;
  marketplace: string | null;
}

/** @throws DomainError `not_found` for an unknown client or fan, `invalid_request` for an unknown country or no address */
async function rowOf({ em }: Pick<Context, 'em'>, target: KillSwitchTarget): Promise<TargetRow> {
  const row: TargetRow = { kind: target.kind, client: null, fan: null, country: null, marketplace: null };
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
    case 'marketplace': {
      const { marketplace } = target;
      if (decodeAddress(marketplace) === undefined) {
        throw new DomainError('invalid_request', 'marketplace must be an address: 32 bytes in base58.');
      }
      return { ...row, marketplace };
    }
    case 'co_signing':
      return row;
  }
}

/** The subject of audit entries. */
function subjectOf({ kind, client, fan, country, marketplace }: TargetRow): string {
  const named = country ?? marketplace;
  return client ?? fan ?? (named === null ? kind : `${kind}:${named}`);
}

function whereTarget({ kind, client, fan, country, marketplace }: TargetRow): FilterQuery<KillSwitch> {
  return { kind, client, fan, country, marketplace };
}
