/** Where operators read on. The runbook comes with the release; no address serves it. */
export function RunbookNote({ section }: { section: string }) {
  return (
    <>
      Runbook: <code className="breakable">docs/runbook/incidents.md</code>, {section}.
    </>
  );
}
