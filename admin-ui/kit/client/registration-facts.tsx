import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Marked } from '../parts/diff.tsx';
import { Quiet, Small } from '../parts/text.tsx';
import { Facts, StateMark } from '../parts/values.tsx';
import { asText, type EditedClient, hasMarketplaces, isMarked, type MarkedEntry, markChanges } from './registration.ts';

/** A scope as the service explains it. */
export interface ScopeOption {
  name: string;
  says: string;
  group: string;
  /** Whether any endpoint requires it. */
  inUse: boolean;
}

interface Registration
  extends Pick<EditedClient['registration'], 'name' | 'loopbackAnyPort' | 'refreshRetryWindow' | 'privacyUrl'> {
  redirectUris: readonly string[];
  scopes: readonly string[];
  corsOrigins: readonly string[];
  marketplaces: readonly string[];
}

interface RegistrationFactsProps {
  registration: Registration;
  /** The registration in force, to mark what is new and what is removed. */
  inForce?: Registration | undefined;
  /** With the logo that fans see; left out where the page shows it elsewhere. */
  logo?: ReactNode;
  /** What follows from listing on any marketplace; left out where the client may. */
  anywhere?: string | undefined;
  /** All scopes; undefined until they are loaded. */
  scopes: readonly ScopeOption[] | undefined;
}

/** A whole registration: what is compared with every sign-in. */
export function RegistrationFacts({ registration, inForce, logo, anywhere, scopes }: RegistrationFactsProps) {
  const switched = (field: 'loopbackAnyPort' | 'refreshRetryWindow' | 'privacyUrl') => (
    <Switched before={inForce && asText(field, inForce[field])} after={asText(field, registration[field])} />
  );
  return (
    <Stack gap="md">
      <Facts
        of={{
          Name: registration.name,
          Logo: logo,
          'Any port on loopback': switched('loopbackAnyPort'),
          'Refresh retry window':
            registration.refreshRetryWindow === 0
              ? 'Off (10 s is advised for browser apps)'
              : switched('refreshRetryWindow'),
          'Privacy page': switched('privacyUrl'),
        }}
      />
      <Entries title="Redirect URIs">
        <MarkedList of={markChanges(inForce?.redirectUris, registration.redirectUris)} />
      </Entries>
      <Entries title="Origins that can call the API from a browser (CORS)">
        <MarkedList of={markChanges(inForce?.corsOrigins, registration.corsOrigins)} />
      </Entries>
      <Entries title="Scopes">
        <ScopeList of={markChanges(inForce?.scopes, registration.scopes)} known={scopes} />
      </Entries>
      {[registration, inForce].some((each) => each && hasMarketplaces(each)) && (
        <Entries title="Marketplaces">
          {registration.marketplaces.length === 0 && (
            <Text size="sm">
              {anywhere === undefined ? 'Any' : <StateMark tone="waiting">{`Any marketplace: ${anywhere}`}</StateMark>}
            </Text>
          )}
          <MarkedList of={markChanges(inForce?.marketplaces, registration.marketplaces)} />
        </Entries>
      )}
    </Stack>
  );
}

function Entries({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Small>{title}</Small>
      {children}
    </Stack>
  );
}

function MarkedList({ of }: { of: readonly MarkedEntry[] }) {
  return (
    <ul className="plain-list marked-list">
      {of.map(({ value, mark }) => (
        <li key={value}>
          {isMarked(mark) ? <Marked mark={mark}>{value}</Marked> : <Code className="breakable">{value}</Code>}
        </li>
      ))}
    </ul>
  );
}

function Switched({
  before,
  after,
}: {
  before: ReturnType<typeof asText> | undefined;
  after: ReturnType<typeof asText>;
}) {
  if (before === undefined || before === after) return after;
  return (
    <>
      <Marked mark="removed">{before}</Marked> <Marked mark="added">{after}</Marked>
    </>
  );
}

interface ScopeListProps {
  of: readonly MarkedEntry[];
  /** All scopes; undefined until they are loaded. */
  known: readonly ScopeOption[] | undefined;
}

/** Scopes with what each permits; those that no endpoint requires yet say so, and so do those that are new or gone. */
function ScopeList({ of, known }: ScopeListProps) {
  return (
    <ul className="plain-list marked-list">
      {of.map(({ value, mark }) => {
        const scope = known?.find(({ name }) => name === value);
        return (
          <li key={value}>
            {isMarked(mark) ? <Marked mark={mark}>{value}</Marked> : <Code>{value}</Code>}{' '}
            <span className="aside">{scope?.says}</span>{' '}
            {scope && !scope.inUse && <StateMark tone="waiting">No endpoint yet</StateMark>}
          </li>
        );
      })}
    </ul>
  );
}

/** Lines of a registration (URIs, scopes), each as code. */
export function CodeList({ of }: { of: readonly string[] }) {
  return (
    <ul className="plain-list">
      {of.map((line) => (
        <li key={line}>
          <Code className="breakable">{line}</Code>
        </li>
      ))}
    </ul>
  );
}

/** Which pages may call the API from a browser; the service derives it from the redirect URIs. */
export function Origins({ origins }: { origins: readonly string[] }) {
  if (origins.length > 0) return <CodeList of={origins} />;
  return <Quiet>None yet. They follow from the redirect URIs.</Quiet>;
}
