import { type Mutant, mutantsOf } from './mutant.ts';

/** Faults in what guards numbers that change hands, and passkeys. */
export const IDENTITY: readonly Mutant[] = [
  ...mutantsOf(
    'src/verification/recycled-number.ts',
    ['test/src/verification/recycled-number.test.ts'],
    [
      ["(${f}.mode = 'production' and ${last", '(${last'],
      ['greatest(${f}.number_proved_at, ${f}.number_vouched_at)', '${f}.number_vouched_at'],
      ['<= ${cutoff} and ${wasUsed', '< ${cutoff} and ${wasUsed'],
      [' and ${wasUsed(f)}', ''],
      ['(${f}.number_proved_at is not null or ', '('],
      ['number_proved_at is not null or ${hasAppOrPasskey(f)})', 'number_proved_at is not null)'],
      ["then 'continuity' else", "then '${row.opened}' else"],
      ['fan_id = case when h.asks then null else h.id end,', 'fan_id = h.id,'],
      [
        'set number_proved_at = ? from moved m where f.id = m.id and not m.asks',
        'set number_proved_at = ? from moved m where f.id = m.id',
      ],
      [
        "where f.mode = ? and f.phone = ? and ${mayBeRecycled('f', '?::timestamptz')}\n",
        'where f.mode = ? and f.phone = ? and ?::timestamptz is not null\n',
      ],
      ["\n       and not exists (${fanStopped('f.id')})\n     returning f.id", '\n     returning f.id'],
      ["row.refusesStopped ? `not exists (${fanStopped('f.id')})` : 'true'", "'true'"],
      ['exists (select from ticket t where t.owner_id = ${f}.id)', 'false'],
      ['exists (select from consent_grant g where g.fan_id = ${f}.id)', 'false'],
      ['consent_grant g where g.fan_id = ${f}.id', 'consent_grant g where g.fan_id = ${f}.id and g.revoked_at is null'],
      ['exists (select from passkey k where k.fan_id = ${f}.id)', 'false'],
      ['exists (select from custody_move m where m.from_fan_id = ${f}.id or m.to_fan_id = ${f}.id)', 'false'],
    ],
  ),
  ...mutantsOf(
    'src/fan/vouch-for-numbers.ts',
    ['test/src/inventory/apply-rows.test.ts'],
    [
      [' and number_vouched_at < $2', ' and number_proved_at is null and number_vouched_at < $2'],
      ['and phone = any($1) and', 'and coalesce(phone = any($1), true) and'],
      ['if (phones.length > 0) await vouch', 'if (phones.length > 1_000) await vouch'],
    ],
  ),
  ...mutantsOf(
    'src/inventory/plan-ticket.ts',
    ['test/src/inventory/apply-rows.test.ts'],
    [
      ['if (changed || isRenamed) vouch', 'vouch'],
      ['if (changed || isRenamed) vouch', 'if (changed) vouch'],
      ["phone === undefined || ticket.status !== 'valid'", 'phone === undefined'],
      ['if (fans.byPhone.get(phone) === ticket.named_holder_id) vouched', 'if (fans.byPhone.has(phone)) vouched'],
      ['if (!isRenamed && ticket.left_used) return', 'if (isRenamed && ticket.left_used) return'],
      ['ticket.left_used !== null && fans', 'fans'],
    ],
  ),
  ...mutantsOf(
    'src/verification/continuity.ts',
    ['test/src/verification/recycled-number.test.ts', 'test/src/verification/passkey-sign-in.test.ts'],
    [
      ['where id = ? and mode = ? and phone = ? returning id', 'where id = ? and (mode = ? or phone = ?) returning id'],
      ["      noteFormerNumber(inTransaction, before, at.phone, 'new_account', 'system');\n", ''],
    ],
  ),
  ...mutantsOf(
    'src/abuse/give-places-back.ts',
    ['test/src/abuse/given-back.test.ts'],
    [
      [' and r.points > 0', ''],
      [' and r.expire = p.value::bigint', ''],
      ['update ${table} t set places = null from', 'update ${table} t set places = t.places from'],
    ],
  ),
  ...mutantsOf(
    'src/verification/sign-in-by-passkey.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [
      ['config.passkeySignIn ? SIGN_IN_STEPS : []', 'config ? SIGN_IN_STEPS : []'],
      ["changes: ['amr = ?'],", "changes: ['amr = coalesce(s.amr, ?)'],"],
    ],
  ),
  ...mutantsOf(
    'src/passkey/check-passkey.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [["credentialDeviceType === 'singleDevice'", "credentialDeviceType !== 'singleDevice'"]],
  ),
  ...mutantsOf(
    'src/passkey/check-passkey.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [
      [' and (counter < ? or (counter = 0 and ? = 0)) returning id', ' and (counter < ? or ? >= 0) returning id'],
      [
        'expectedOrigin: origin,',
        'expectedOrigin: JSON.parse(Buffer.from(response.response.clientDataJSON, "base64url").toString()).origin,',
      ],
      ['requireUserVerification: true,', 'requireUserVerification: false,'],
      ['.toString() !== passkey.fan.id)', ".toString() === 'nobody')"],
      ['if (!checked.verified) throw', 'if (checked.verified === undefined) throw'],
      ["if (!passkey) throw refused('This passkey is not known here. It may have been removed.');", ''],
      ['    expectedChallenge,\n', '    expectedChallenge: () => true,\n'],
      ['expectedRPID: id,', "expectedRPID: [id, 'evil.example'],"],
      ['counter < ? or', 'counter <= ? or'],
      ['(counter = 0 and ? = 0)', '(counter < 0 and ? = 0)'],
      ['    await em.flush();\n', ''],
    ],
  ),
  ...mutantsOf(
    'src/passkey/register-passkey.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [
      [
        'expectedOrigin: origin,',
        'expectedOrigin: JSON.parse(Buffer.from(response.response.clientDataJSON, "base64url").toString()).origin,',
      ],
      ['    expectedChallenge,\n', '    expectedChallenge: () => true,\n'],
      ['expectedRPID: rpId,', "expectedRPID: [rpId, 'evil.example'],"],
      ['requireUserVerification: true,', 'requireUserVerification: false,'],
      ['if (!checked.verified) throw', 'if (checked.verified === undefined) throw'],
      ['>= MOST_PASSKEYS)', '> MOST_PASSKEYS)'],
      ["    await tx.execute('select from fan where id = ? for update', [uuidOf('usr', fan)]);\n", ''],
      ['{ credentialId: credential.id })) > 0', '{ credentialId: credential.id })) > 99'],
      [
        '${f}.passkey_declined_at is null or ${f}.passkey_declined_at <= ${now}',
        '${f}.passkey_declined_at is null or ${now} is not null or ${f}.passkey_declined_at <= ${now}',
      ],
      [
        '${f}.passkey_declined_at is null or ${f}.passkey_declined_at <= ${now}',
        '${f}.passkey_declined_at is null and ${f}.passkey_declined_at <= ${now}',
      ],
      ['\n    and not exists (select from passkey k where k.fan_id = ${f}.id)', ''],
    ],
  ),
  ...mutantsOf(
    'src/passkey/own-passkeys.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [
      ["{ id: knownId('pky', passkeyId), fan }", "{ id: knownId('pky', passkeyId) }"],
      ['(await em.nativeDelete(Passkey, which)) === 0', '(await em.nativeDelete(Passkey, which)) < 0'],
    ],
  ),
  ...mutantsOf(
    'src/passkey/challenge.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [
      ['where owner = ? and purpose = ? and expires_at', 'where owner = ? and (purpose = ? or true) and expires_at'],
      ['and expires_at > ? returning', 'and (expires_at > ? or true) returning'],
      ["'delete from passkey_challenge where", "'select challenge from passkey_challenge where"],
    ],
  ),
  ...mutantsOf(
    'src/verification/sign-in-by-passkey.ts',
    ['test/src/verification/passkey-sign-in.test.ts'],
    [
      ['if (fan.mode !== client.mode)', "if (fan.mode === 'sandbox' && fan.phone === null)"],
      ["[raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan.id)])]: [],", ''],
      ['wrongTries: { $lt: SESSION_TRIES } }', 'wrongTries: { $lt: 1_000 } }'],
    ],
  ),
  ...mutantsOf(
    'src/portal/change-number.ts',
    ['test/adapters/portal/portal-sign-in.test.ts'],
    [
      ['if (after(fan.authenticatedAt, NUMBER_CHANGE_WINDOW) <= now())', 'if (fan.authenticatedAt > now())'],
      ['        await tx.nativeDelete(PortalSession, { fan: fan.id, secretHash: { $ne: secretHash } });\n', ''],
    ],
  ),
  ...mutantsOf(
    'src/verification/move-number.ts',
    ['test/adapters/portal/portal-sign-in.test.ts'],
    [['if (holder?.holds) return false;', '']],
  ),
];
