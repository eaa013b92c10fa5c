/** The sections of a page of the runbook, in HTML, by their headings. */
declare module '*/runbook/incidents.md' {
  const sections: Readonly<Record<string, string>>;
  export default sections;
}
