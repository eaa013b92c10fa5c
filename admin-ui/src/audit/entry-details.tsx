import type { ResultOf } from 'gql.tada';
import { Particulars } from '../activity/particulars.tsx';
import { asText, nameOfField } from '../client/field-names.ts';
import { graphql } from '../data/graphql.ts';
import { CopyText } from '../parts/copy-text.tsx';
import { Diff } from '../parts/diff.tsx';

export const AUDIT_ENTRY = graphql(`
  fragment AuditRow on AuditEntry {
    id at actor actorName action subject details requestId position hash
    changes { field before after }
  }
`);

export type AuditRow = ResultOf<typeof AUDIT_ENTRY>;

/** The reason for an entry; everything else opens below it. */
export function EntryDetails({ entry }: { entry: AuditRow }) {
  const { details, changes, requestId, position, hash } = entry;
  const { before: _, after: __, reason, note, ...others } = details as Record<string, unknown>;
  const why = reason ?? note;
  return (
    <div className="entry-details">
      {why !== undefined && <span className="why">{String(why)}</span>}
      <details>
        <summary>{changes.length > 0 ? `${changes.length} changed, before and after` : 'Details'}</summary>
        {changes.length > 0 && (
          <Diff
            caption={`What ${entry.action} changed`}
            beforeTitle="Before"
            afterTitle="After"
            differences={changes.map(({ field, before, after }) => ({
              label: nameOfField(field),
              before: asText(field, before),
              after: asText(field, after),
            }))}
          />
        )}
        <Particulars of={others} />
        {requestId !== null && <CopyText labelled label="Request" text={requestId} />}
        {position === null ? (
          <span className="aside">Not sealed yet: entries are, within a minute.</span>
        ) : (
          <CopyText labelled label={`Hash of entry ${position}`} text={hash ?? ''} />
        )}
      </details>
    </div>
  );
}
