import { Avatar } from '../../../page-kit/parts/avatar.tsx';
import type { Access, AppAccess } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Controls } from '../use-sales.ts';
import { AccessPart } from './access-part.tsx';
import { actionsInLine } from './actions-in-line.ts';
import { ButtonFor } from './button-for.tsx';

type Props = Controls & {
  app: AppAccess;
  /** Whether it is a row, which opens in place. */
  isRow: boolean;
  /** The access whose tickets are being changed: one on the whole page. */
  editing: string | undefined;
  onEdit: (access: string | undefined) => void;
};

/** One app: what it may do, for which tickets and since when, with the controls to change and end that. */
export function AppCard({ app, isRow, editing, onEdit, ...controls }: Props) {
  const { portal, format } = usePortalWords();
  const client = app.clientName;
  const headingId = `app-${app.clientId}`;
  const isDivided = app.access.length > 1;

  function end(): void {
    void controls.takeAway({
      grantIds: app.access.flatMap(({ grantIds }) => grantIds),
      title: format(portal.endTitle, { client }),
      detail: format(portal.endDetail, { client, signIns: app.signIns }),
      confirm: portal.end,
      work: (keepsSales) => controls.api.revoke(app.clientId, keepsSales),
      done: () => ({ text: format(portal.ended, { client }) }),
    });
  }

  const head = (
    <div class="app-head">
      <Avatar name={client} logo={app.logo} />
      <div>
        <h2 id={headingId}>
          <bdi>{client}</bdi>
        </h2>
        {app.partnerName === client ? null : (
          <p>
            <bdi>{app.partnerName}</bdi>
          </p>
        )}
      </div>
      <span class={`mode ${app.mode}`}>{portal.modes[app.mode]}</span>
    </div>
  );
  const body = (
    <>
      {isDivided ? <p class="differ">{format(portal.differ, { how: differenceOf(app.access) })}</p> : null}
      {app.access.map((access) => {
        const [key] = access.grantIds;
        return (
          <AccessPart
            {...controls}
            key={key}
            clientName={client}
            access={access}
            isPart={isDivided}
            isEditing={editing === key}
            onEdit={(isEditing) => onEdit(isEditing ? key : undefined)}
          />
        );
      })}
      <div class="app-foot">
        <ButtonFor subject={client} text={portal.end} look="button danger" onClick={end} />
      </div>
    </>
  );

  return (
    <article class="app" aria-labelledby={headingId}>
      {isRow ? (
        <details>
          <summary class="row-head">
            {head}
            <Brief access={app.access} />
          </summary>
          <div class="opened">{body}</div>
        </details>
      ) : (
        <>
          {head}
          {body}
        </>
      )}
    </article>
  );
}

/** When an app was last used, and what it can do. */
function Brief({ access }: { access: readonly Access[] }) {
  const words = usePortalWords();
  const [lastUsed] = access
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .reverse();
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium' });
  return (
    <small class="brief">
      {lastUsed === undefined ? null : `${words.portal.lastUsed} ${date.format(new Date(lastUsed))} · `}
      {actionsInLine(access, words)}
    </small>
  );
}

/** In what the sign-ins of an app differ. */
function differenceOf(access: readonly Access[]): 'actions' | 'tickets' | 'both' {
  const differ = (of: (one: Access) => unknown) => new Set(access.map((one) => JSON.stringify(of(one)))).size > 1;
  if (!differ(({ actions }) => actions)) return 'tickets';
  return differ(({ grantMode, tickets }) => [grantMode, tickets.map(({ id }) => id)]) ? 'both' : 'actions';
}
