import { describeAction } from '../../../page-kit/texts/describe-action.ts';
import type { Access } from '../api.ts';
import type { PortalWords } from '../texts/portal-words.ts';

/** What accesses permit together, in a line. */
export function actionsInLine(access: readonly Access[], { texts, portal, locale }: PortalWords): string {
  const allowed = access.flatMap(({ actions }) => actions.flatMap(({ name, isOn }) => (isOn ? name : [])));
  const titles = [...new Set(allowed)].map((name) => describeAction(texts, name).title);
  return titles.length === 0
    ? portal.mayNothing
    : new Intl.ListFormat(locale, { style: 'short', type: 'unit' }).format(titles);
}
