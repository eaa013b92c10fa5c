import { useView } from '../data/view.ts';
import { Section } from '../parts/section.tsx';
import { RIGHTS, ROLES } from './documents.ts';

/** The rights of each role, from the service. */
export function RightsTable() {
  const { data } = useView('rights', RIGHTS, {}, { staleTime: 600_000 });
  if (!data) return null;
  const rank = (role: string) => ROLES.findIndex(({ value }) => value === role);
  return (
    <Section
      title="What each role may"
      description="Steps that reach many people want a sign-in of the last five minutes."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
      <section className="scroll-area" aria-label="Rights by role" tabIndex={0}>
        <table className="rights">
          <caption className="visually-hidden">Rights by role</caption>
          <thead>
            <tr>
              <th scope="col">Right</th>
              {ROLES.map(({ value, label }) => (
                <th key={value} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">Fresh sign-in</th>
            </tr>
          </thead>
          <tbody>
            {data.staffRights.map(({ name, says, role, fresh }) => (
              <tr key={name}>
                <th scope="row">
                  {says} <code className="aside">{name}</code>
                </th>
                {ROLES.map(({ value }) => (
                  <td key={value}>{rank(value) >= rank(role) ? 'yes' : '–'}</td>
                ))}
                <td>{fresh ? 'yes' : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
