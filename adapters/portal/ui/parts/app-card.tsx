import { useState } from 'preact/hooks';
import { Avatar } from '../../../page-kit/parts/avatar.tsx';
import type { ActionText } from '../../../page-kit/texts/texts.ts';
import type { Action, AppAccess, PortalApi } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change } from '../use-access.ts';
import { AskFirst } from './ask-first.tsx';
import { GrantedTickets } from './granted-tickets.tsx';
import { saveFile } from './save-file.ts';
import { TicketEditor } from './ticket-editor.tsx';

type Props = { app: AppAccess; api: PortalApi; change: Change };

/** One app: what it may do, for which tickets, since when; and how to change each. */
export function AppCard({ app, api, change }: Props) {
  const { texts, shared } = usePortalWords();
  const [isEditing, setEditing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const date = new Intl.DateTimeFormat(shared.locale, { dateStyle: 'medium', timeStyle: 'short' });
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
        <span class={`mode ${app.mode}`}>{texts.modes[app.mode]}</span>
      </div>
      <dl class="facts">
        <div>
          <dt>{texts.since}</dt>
          <dd>{date.format(new Date(app.since))}</dd>
        </div>
        <div>
          <dt>{texts.lastUsed}</dt>
          <dd>{app.lastUsedAt === null ? texts.neverUsed : date.format(new Date(app.lastUsedAt))}</dd>
        </div>
      </dl>
      <Actions app={app} api={api} change={change} />
      <section>
        <h3>{texts.tickets}</h3>
        {isEditing ? (
          <TicketEditor app={app} api={api} change={change} onClose={() => setEditing(false)} />
        ) : (
          <>
            {app.grantMode === 'selected' ? <GrantedTickets tickets={app.tickets} /> : <p>{texts.all}</p>}
            <button
              type="button"
              class="link"
              aria-label={`${texts.change}: ${app.clientName}`}
              onClick={() => setEditing(true)}
            >
              {texts.change}
            </button>
          </>
        )}
      </section>
      <div class="app-foot">
        <button
          type="button"
          class="link"
          aria-label={`${texts.receipt}: ${app.clientName}`}
          onClick={() => void change(download, '')}
        >
          {texts.receipt}
        </button>
        <button
          type="button"
          class="button danger"
          aria-label={`${texts.end}: ${app.clientName}`}
          onClick={() => setAsking(true)}
        >
          {texts.end}
        </button>
      </div>
      {isAsking ? (
        <AskFirst
          title={texts.endTitle(app.clientName)}
          detail={texts.endDetail(app.clientName)}
          confirm={texts.end}
          onConfirm={() => change(() => api.revoke(app.grantId), texts.ended(app.clientName))}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </article>
  );
}

function Actions({ app, api, change }: Props) {
  const { texts, shared } = usePortalWords();
  const known: Record<string, ActionText | undefined> = shared.texts.actions;
  return (
    <section>
      <h3>{texts.may}</h3>
      {app.actions.length === 0 ? <p>{texts.mayNothing}</p> : null}
      <ul class="actions">
        {app.actions.map((action) => {
          const { title, detail } = known[action] ?? { title: action, detail: shared.texts.consent.otherDetail };
          return (
            <li key={action}>
              <span>
                <strong>{title}</strong>
                <small>{detail}</small>
              </span>
              <button
                type="button"
                class="link"
                aria-label={`${texts.takeBack}: ${title}`}
                onClick={() =>
                  void change(() => api.takeBack(app.grantId, action as Action), texts.takenBack(title, app.clientName))
                }
              >
                {texts.takeBack}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
