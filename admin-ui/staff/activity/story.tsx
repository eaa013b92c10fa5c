import {
  ArrowRightEndOnRectangleIcon,
  ArrowsRightLeftIcon,
  BuildingStorefrontIcon,
  ClipboardIcon,
  CodeBracketIcon,
  ComputerDesktopIcon,
  HandRaisedIcon,
  KeyIcon,
  LinkIcon,
  PencilSquareIcon,
  TicketIcon,
  UserIcon,
} from '@heroicons/react/24/outline';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { Small } from '../../kit/parts/text.tsx';
import { inUtc, shortened } from '../../kit/parts/values.tsx';
import { OutcomeMark, Particulars, Told } from '../../kit/requests/cells.tsx';
import type { Icon } from '../../kit/shell/frame.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf, viewOf } from '../places.ts';

export const ENTRY = graphql(`
  fragment Entry on TimelineEntry {
    at kind title outcome message fix details
    references { client fan grant session ticket permit claim requestId }
  }
`);

export type EntryData = ResultOf<typeof ENTRY>;

/** Kinds of entries. */
const KINDS: Record<EntryData['kind'], { label: string; icon: Icon }> = {
  REQUEST: { label: 'Request', icon: CodeBracketIcon },
  SESSION: { label: 'Sign-in', icon: ArrowRightEndOnRectangleIcon },
  GRANT: { label: 'Grant', icon: LinkIcon },
  SIGNATURE: { label: 'Co-signature', icon: PencilSquareIcon },
  LISTING: { label: 'Listing', icon: BuildingStorefrontIcon },
  CLAIM: { label: 'Claim', icon: TicketIcon },
  AUDIT: { label: 'Audit log', icon: ClipboardIcon },
};

/** Icons of requests, by the beginning of the operation. */
const OPERATIONS: [string, Icon][] = [
  ['authorize.', ArrowRightEndOnRectangleIcon],
  ['login.', ArrowRightEndOnRectangleIcon],
  ['portal.', UserIcon],
  ['token.', KeyIcon],
  ['userinfo.', UserIcon],
  ['tickets.', TicketIcon],
  ['listings.', PencilSquareIcon],
  ['claims.', ArrowsRightLeftIcon],
  ['graphql.', ComputerDesktopIcon],
];

/** The icon of an entry: of a refusal, of a request's operation, or of the entry's kind. */
function iconOf({ kind, outcome, details }: EntryData): Icon {
  if (outcome !== 'ok') return HandRaisedIcon;
  const { operation } = details as { operation?: unknown };
  const known = kind === 'REQUEST' && OPERATIONS.find(([begin]) => String(operation).startsWith(begin));
  return known ? known[1] : KINDS[kind].icon;
}

interface StoryProps {
  entries: readonly EntryData[];
  /** Identifiers that the timeline is of. */
  about: readonly string[];
}

/** The entries of a timeline, by day. */
export function Story({ entries, about }: StoryProps) {
  const days = Map.groupBy(entries, ({ at }) => at.slice(0, 10));
  return (
    <Stack gap={22}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Title order={2} size="h3" id={`day-${day}`} pb={8}>
            {DAY.format(new Date(day))}
          </Title>
          <ol className="entries">
            {ofDay.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of entries does not change
              <Entry key={`${entry.at} ${index}`} entry={entry} about={about} />
            ))}
          </ol>
        </section>
      ))}
    </Stack>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function Entry({ entry, about }: { entry: EntryData; about: readonly string[] }) {
  const { at, kind, title, outcome, message, fix, references, details } = entry;
  const isOk = outcome === 'ok';
  const { label } = KINDS[kind];
  const Icon = iconOf(entry);
  return (
    <li className="entry" data-kind={kind} data-refused={!isOk || undefined}>
      <span className="entry-icon" title={label}>
        <Icon width={16} />
        <span className="visually-hidden">{label}: </span>
      </span>
      <div className="entry-body">
        <Text size="sm" component="p">
          <span>{title}</span> {!isOk && <OutcomeMark outcome={outcome} />}
        </Text>
        <Told message={message} fix={fix} />
        <RegisteredUris of={entry} />
        <div className="entry-more">
          <References of={references} except={about} />
          <details>
            <summary>Details</summary>
            <Particulars of={details} />
          </details>
        </div>
      </div>
      <time dateTime={at} title={inUtc(at)}>
        {at.slice(11, 19)}
        <span className="split-second">{at.slice(19, 23)}</span>
      </time>
    </li>
  );
}

interface ReferencesProps {
  of: EntryData['references'];
  /** Identifiers without a link: those that the timeline is of. */
  except?: readonly string[];
}

/** Links to what an entry is about: a request to its view, anything else to its timeline. */
export function References({ of, except = [] }: ReferencesProps) {
  const shown = Object.entries(of).flatMap(([name, id]) => (id === null || except.includes(id) ? [] : [{ name, id }]));
  if (shown.length === 0) return null;
  return (
    <ul className="references">
      {shown.map(({ name, id }) => (
        <li key={name}>
          <Small>{name === 'requestId' ? 'request' : name} </Small>
          <Anchor
            component={Link}
            href={(name === 'requestId' && viewOf('request', id)) || storyOf(id)}
            size="xs"
            ff="monospace"
            title={id}
          >
            {shortened(id)}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}

const REGISTERED = graphql(`
  query RegisteredUris($id: ID!) {
    client(id: $id) { redirectUris loopbackAnyPort }
  }
`);

/** Below a refused redirect_uri: those that the client has, to compare with the one that was sent. */
export function RegisteredUris({ of: { message, details, references } }: { of: EntryData }) {
  const { operation } = details as { operation?: unknown };
  const isRefusal = operation === 'authorize.start' && message?.includes('redirect_uri') === true;
  const id = isRefusal ? references.client : null;
  const { data } = useView('registered redirect URIs', REGISTERED, { id: id ?? '' }, { enabled: id !== null });
  if (!data?.client) return null;
  const { redirectUris, loopbackAnyPort } = data.client;
  return (
    <Text size="sm" component="div" className="breakable">
      <strong>Registered now:</strong>
      {loopbackAnyPort && ' (any port of a loopback address)'}
      <ul className="steps">
        {redirectUris.map((uri) => (
          <li key={uri}>
            <code>{uri}</code>
          </li>
        ))}
      </ul>
    </Text>
  );
}
