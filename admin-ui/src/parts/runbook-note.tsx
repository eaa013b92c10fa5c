/** Where whoever runs the service reads on: the runbook comes with the release and is not served. */
export function RunbookNote({ section }: { section: string }) {
  return (
    <>
      Runbook: <code className="breakable">docs/runbook/incidents.md</code>, {section}.
    </>
  );
}
