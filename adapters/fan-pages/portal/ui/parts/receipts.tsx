import type { Access } from '../api.ts';
import { usePortalWords } from '../texts/portal-words.ts';

/** The receipt of an access to keep: one to read, and the signed statement alone for programs. */
export function Receipts({ access, subject }: { access: Access; subject: string }) {
  const { portal, locale } = usePortalWords();
  const [newest] = access.grantIds;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const links = [
    { text: portal.receipt, href: `receipts/${newest}.html?${new URLSearchParams({ locale, timeZone })}` },
    { text: portal.statement, href: `receipts/${newest}.jwt` },
  ];
  return (
    <div class="receipts">
      {links.map(({ text, href }) => (
        <a key={href} class="link" href={href} aria-label={`${text}: ${subject}`}>
          {text}
        </a>
      ))}
      {access.grantIds.length > 1 ? <small>{portal.latestReceipt}</small> : null}
    </div>
  );
}
