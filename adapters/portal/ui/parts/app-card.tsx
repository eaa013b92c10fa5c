import { useState } from 'preact/hooks';
import { Avatar } from '../../../page-kit/parts/avatar.tsx';
import { describeAction } from '../../../page-kit/texts/describe-action.ts';
import { groupTickets } from '../../../page-kit/tickets/group-tickets.ts';
import type { Action, AppAccess, PortalApi, TicketOption } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change } from '../use-access.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { TicketEditor } from './ticket-editor.tsx';

type Props = { app: AppAccess; api: PortalApi; change: Change };

/** One app: what it may do, for which tickets and since when, with the controls to change that. */
export function AppCard({ app, api, change }: Props) {
  const { portal, locale, format } = usePortalWords();
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const headingId = `app-${app.grantId}`;

  async function download(): Promise<void> {
    const { receipt } = await api.receipt(app.grantId);
    saveFile(`${app.grantId}.jwt`, receipt);
  }

  return (
    <article class="app" aria-labelledby={headingId}>
      <div class="app-head">
        <Avatar name={app.clientName} logo={app.logo} />
        <div>
          <h2 id={headingId}>{app.clientName}</h2>
          {app.partnerName === app.clientName ? null : <p>{app.partnerName}</p>}
        </div>
        <span class={`mode ${app.mode}`}>{portal.modes[app.mode]}</span>
      </div>
      <dl class="facts">
        <div>
          <dt>{portal.since}</dt>
          <dd>{date.format(new Date(app.since))}</dd>
        </div>
        <div>
          <dt>{portal.lastUsed}</dt>
          <dd>{app.lastUsedAt === null ? portal.neverUsed : date.format(new Date(app.lastUsedAt))}</dd>
        </div>
      </dl>
      <Actions app={app} api={api} change={change} />
      <section>
        <h3>{portal.tickets}</h3>
        {isEditing ? (
          <TicketEditor app={app} api={api} change={change} onClose={() => setEditing(false)} />
        ) : (
          <>
            {app.grantMode === 'selected' ? <GrantedTickets tickets={app.tickets} /> : <p>{portal.all}</p>}
            <ButtonFor subject={app.clientName} text={portal.change} onClick={() => setEditing(true)} />
          </>
        )}
      </section>
      <div class="app-foot">
        <ButtonFor subject={app.clientName} text={portal.receipt} onClick={() => void change(download, '')} />
        <ButtonFor subject={app.clientName} text={portal.end} look="button danger" onClick={() => setAsking(true)} />
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={format(portal.endTitle, { client: app.clientName })}
          detail={format(portal.endDetail, { client: app.clientName })}
          confirm={portal.end}
          onConfirm={() => change(() => api.revoke(app.grantId), format(portal.ended, { client: app.clientName }))}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </article>
  );
}

type ButtonProps = { subject: string; text: string; look?: string; onClick: () => void };

/** A button whose accessible name says what it is for: every card has the same ones. */
function ButtonFor({ subject, text, look = 'link', onClick }: ButtonProps) {
  return (
    <button type="button" class={look} aria-label={`${text}: ${subject}`} onClick={onClick}>
      {text}
    </button>
  );
}

function Actions({ app, api, change }: Props) {
  const { portal, texts, format } = usePortalWords();
  return (
    <section>
      <h3>{portal.may}</h3>
      {app.actions.length === 0 ? <p>{portal.mayNothing}</p> : null}
      <ul class="actions">
        {app.actions.map((action) => {
          const { title, detail } = describeAction(texts, action);
          return (
            <li key={action}>
              <span>
                <strong>{title}</strong>
                <small>{detail}</small>
              </span>
              <ButtonFor
                subject={title}
                text={portal.takeBack}
                onClick={() =>
                  void change(
                    () => api.takeBack(app.grantId, action as Action),
                    format(portal.takenBack, { action: title, client: app.clientName }),
                  )
                }
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Lets the browser save a text as a file. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/jwt' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // not at once: the browser reads it a moment later
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The tickets that an app may act on, by event. */
function GrantedTickets({ tickets }: { tickets: readonly TicketOption[] }) {
  const { portal, locale } = usePortalWords();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  if (tickets.length === 0) return <p>{portal.noTickets}</p>;
  return (
    <ul class="granted">
      {groupTickets(tickets).map((group) => (
        <li key={group.key}>
          <strong>{group.eventName}</strong>
          <small>
            {date.format(new Date(group.startsAt))} ·{' '}
            {[...new Set(group.rows.map((row) => row.ticketTypeName))].join(', ')}
            {group.rows.length > 1 ? ` × ${group.rows.length}` : ''}
          </small>
        </li>
      ))}
    </ul>
  );
}
