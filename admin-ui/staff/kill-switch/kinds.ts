import type { ResultOf } from 'gql.tada';
import { PAGE, REFUSAL } from '../../kit/data/document.ts';
import { graphql } from '../data/graphql.ts';
import { countryName } from '../parts/country-name.ts';

export const KILL_SWITCHES = graphql(`
  query KillSwitches(${PAGE.variables}) {
    killSwitches(${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id kind reason country setAt
        setBy { name }
        client { id name mode }
        fan { id phone mode }
      }
    }
  }
`);

export type Stop = ResultOf<typeof KILL_SWITCHES>['killSwitches']['nodes'][number];
export type Kind = Stop['kind'];

/** Kinds of kill switch and their effects. */
export const KINDS: Record<Kind, { label: string; description: string }> = {
  CLIENT: {
    label: 'A client',
    description:
      'From the next call on, it can’t sign fans in, refresh tokens or use the API. Its grants stay, and it works again once the kill switch is lifted.',
  },
  FAN: {
    label: 'A fan',
    description: 'The fan can’t sign in to any app, and no app’s tokens for the fan are accepted.',
  },
  CO_SIGNING: {
    label: 'All co-signing',
    description: 'No listing or cancellation is co-signed for any app. Claims and reading tickets still work.',
  },
  SMS_COUNTRY: {
    label: 'SMS codes to a country',
    description: 'Fans with a number from this country get no code, so they can’t sign in to production clients.',
  },
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));

/** The argument that names a stop's target in the API. */
export function subjectOf({ client, fan, country }: Pick<Stop, 'client' | 'fan' | 'country'>): string | null {
  return client?.id ?? fan?.id ?? country;
}

/** What is stopped, in words. */
export function nameOf({ kind, client, fan, country }: Stop): string {
  return (
    client?.name ?? fan?.phone ?? (country === null ? KINDS[kind].label : `Codes to ${countryName(country) ?? country}`)
  );
}

export const SET = graphql(`
  mutation SetKillSwitch($kind: KillSwitchKind!, $subject: String, $reason: String!) {
    setKillSwitch(kind: $kind, subject: $subject, reason: $reason) {
      ${REFUSAL} ... on KillSwitch { id kind reason country setAt setBy { name } client { id name mode } fan { id phone mode } }
    }
  }
`);

export const LIFT = graphql(`
  mutation LiftKillSwitch($kind: KillSwitchKind!, $subject: String, $reason: String!) {
    liftKillSwitch(kind: $kind, subject: $subject, reason: $reason) { ${REFUSAL} ... on LiftedKillSwitch { wasOn } }
  }
`);
