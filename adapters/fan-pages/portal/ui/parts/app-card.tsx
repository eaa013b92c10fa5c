import { useState } from 'preact/hooks';
import { Avatar } from '../../../page-kit/parts/avatar.tsx';
import type { AppAccess, PortalApi } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';
import type { Change } from '../use-access.ts';
import { AccessPart } from './access-part.tsx';
import { ButtonFor } from './button-for.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Props = {
  app: AppAccess;
  api: PortalApi;
  change: Change;
  /** The access whose tickets are being changed: one on the whole page. */
  editing: string | undefined;
  onEdit: (access: string | undefined) => void;
};

/** One app: what it may do, for which tickets and since when, with the controls to change and end that. */
export function AppCard({ app, api, change, editing, onEdit }: Props) {
  const { portal, format } = usePortalWords();
  const [isAsking, setAsking] = useState(false);
  const client = app.clientName;
  const headingId = `app-${app.clientId}`;
  const isDivided = app.access.length > 1;

  return (
    <article class="app" aria-labelledby={headingId}>
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
      {isDivided ? <p class="differ">{portal.differ}</p> : null}
      {app.access.map((access) => {
        const [key] = access.grantIds;
        return (
          <AccessPart
            key={key}
            clientName={client}
            access={access}
            api={api}
            change={change}
            isPart={isDivided}
            isEditing={editing === key}
            onEdit={(isEditing) => onEdit(isEditing ? key : undefined)}
          />
        );
      })}
      <div class="app-foot">
        <ButtonFor subject={client} text={portal.end} look="button danger" onClick={() => setAsking(true)} />
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={format(portal.endTitle, { client })}
          detail={format(portal.endDetail, { client, signIns: app.signIns })}
          confirm={portal.end}
          onConfirm={() => change(() => api.revoke(app.clientId), { text: format(portal.ended, { client }) })}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </article>
  );
}
