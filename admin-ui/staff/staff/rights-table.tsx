import { Table } from '@mantine/core';
import { useView } from '../../kit/data/view.ts';
import { Section } from '../../kit/parts/section.tsx';
import { RIGHTS, ROLES } from './documents.ts';

/** The rights of each role, from the service. */
export function RightsTable() {
  const { data } = useView('rights', RIGHTS, {}, { staleTime: 600_000 });
  if (!data) return null;
  const rank = (role: string) => ROLES.findIndex(({ value }) => value === role);
  return (
    <Section
      title="Rights by role"
      description="Steps that affect many people need a sign-in within the last 5 minutes."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
      <section className="scroll-area" aria-label="Table of rights" tabIndex={0}>
        <Table miw={560} horizontalSpacing={6} fz="sm">
          <caption className="visually-hidden">Rights by role</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Right</Table.Th>
              {ROLES.map(({ value, label }) => (
                <Table.Th key={value} scope="col">
                  {label}
                </Table.Th>
              ))}
              <Table.Th scope="col">Fresh sign-in</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.staffRights.map(({ name, says, role, fresh }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {says} <code className="aside">{name}</code>
                </Table.Th>
                {ROLES.map(({ value }) => (
                  <Table.Td key={value}>{rank(value) >= rank(role) ? 'yes' : '–'}</Table.Td>
                ))}
                <Table.Td>{fresh ? 'yes' : '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Section>
  );
}
