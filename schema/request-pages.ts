import { resolveCursorConnection } from '@pothos/plugin-relay';
import { DomainError } from '../src/platform/errors.ts';
import { isUuid } from '../src/platform/identifier/type-id.ts';
import { listRequests, type RequestListFilter } from '../src/record/activity/request-list.ts';
import type { Place, RequestRow } from '../src/record/activity/request-rows.ts';
import type { ServiceContext } from '../src/runtime.ts';
import { checkPageSize, MAX_PAGE_SIZE, PAGE_SIZE, type PageArguments } from './lists.ts';

/** A page of the request log, newest first. @throws DomainError `invalid_request` for a bad cursor, size or filter */
export function pageOfRequests(
  context: Pick<ServiceContext, 'pool' | 'now'>,
  wanted: RequestListFilter,
  page: PageArguments,
) {
  checkPageSize(page);
  return resolveCursorConnection(
    { args: page, defaultSize: PAGE_SIZE, maxSize: MAX_PAGE_SIZE, toCursor },
    ({ before, after, limit, inverted }: { before?: string; after?: string; limit: number; inverted: boolean }) => {
      if (before && after) throw new DomainError('invalid_request', 'Give after or before, not both.');
      const beyond = placeOf(inverted ? before : after);
      return listRequests(context, wanted, { direction: inverted ? 'oldest' : 'newest', beyond, limit });
    },
  );
}

/** Rows have whole milliseconds. */
function toCursor({ at, id }: RequestRow): string {
  return `${at.getTime()}_${id}`;
}

/** @throws DomainError for a cursor of another list */
function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = cursor.split('_');
  const at = new Date(Number(time));
  if (!/^\d{1,15}$/.test(time) || Number.isNaN(at.getTime()) || !isUuid(id)) {
    throw new DomainError('invalid_request', 'The cursor belongs to another list.');
  }
  return { at, id };
}
