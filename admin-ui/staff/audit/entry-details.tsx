import type { ResultOf } from 'gql.tada';
import { asText, nameOfField } from '../../kit/client/registration.ts';
import { Diff } from '../../kit/parts/diff.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Particulars } from '../../kit/requests/cells.tsx';
import { graphql } from '../data/graphql.ts';

export const AUDIT_ENTRY = graphql(`
  fragment AuditRow on AuditEntry {
    id at actor actorName action subject subjectName why details requestId position hash
    changes { field before after }
  }
`);

export type AuditRow = ResultOf<typeof AUDIT_ENTRY>;

/** The reason for an entry, as it was typed; everything else opens below it. */
export function EntryDetails({ entry }: { entry: AuditRow }) {
  const { why, details, changes, requestId, position, hash } = entry;
  const others = Object.fromEntries(
    Object.entries(details as Record<string, unknown>).filter(
      ([name, value]) => name !== 'before' && name !== 'after' && value !== why,
    ),
  );
  return (
    <div className="entry-details">
      {why !== null && <span className="why">{why}</span>}
      <details>
        <summary>{summaryOf(changes.length)}</summary>
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
          <span className="aside">Not sealed yet: entries are sealed within a minute.</span>
        ) : (
          <CopyText labelled label={`Hash of entry ${position}`} text={hash ?? ''} />
        )}
      </details>
    </div>
  );
}

function summaryOf(changes: number): string {
  if (changes === 0) return 'Details';
  return changes === 1 ? '1 change, before and after' : `${changes} changes, before and after`;
}
