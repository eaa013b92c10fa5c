import { Text, TextInput } from '@mantine/core';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { useLocation, useSearchParams } from 'wouter';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChange, useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { notify } from '../parts/undo.tsx';
import { useList } from '../parts/use-list.ts';
import { nameError, useSendForm } from '../parts/use-send-form.ts';

const PARTNERS = graphql(`
  query Partners($search: String, $first: Int, $after: String, $last: Int, $before: String) {
    partners(search: $search, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id name clientCount createdAt }
    }
  }
`);

const REGISTER_PARTNER = graphql(`
  mutation RegisterPartner($name: String!) {
    registerPartner(name: $name) { ${REFUSAL} ... on Partner { id name } }
  }
`);

/** The companies that integrate. `?register=1` opens the form for a new one. */
export function PartnersPage() {
  const list = useList(['search']);
  const view = useView('partners', PARTNERS, { ...list.page, search: list.filters.search });
  const [params, setParams] = useSearchParams();
  const disabledReason = useDisabledReason('clients:write');
  const showForm = (shown: boolean) => setParams(shown ? { register: '1' } : {}, { replace: true });
  const button = (
    <ActionButton
      leftSection={<IconPlus size={16} aria-hidden />}
      disabledReason={disabledReason}
      onClick={() => showForm(true)}
    >
      Register partner
    </ActionButton>
  );

  return (
    <Page
      title="Partners"
      description="A partner is a company that integrates with the service. It owns OAuth clients: usually one for sandbox and one for production."
      actions={button}
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search partners"
          placeholder="Name"
          value={list.filters.search}
          onChange={(search) => list.filter({ search })}
        />
      </ListToolbar>
      <ConnectionTable
        caption="Partners"
        view={view}
        connection={view.data?.partners}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/partners/${id}`}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Clients', cell: ({ clientCount }) => clientCount.toLocaleString('en'), numeric: true },
          { header: 'Registered', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconBuilding />} title="No partner yet" actions={button}>
            Register the company first; then register a sandbox client for it, with which its developers can begin at
            once.
          </EmptyState>
        }
      />
      {params.has('register') && disabledReason === undefined && <PartnerForm onClose={() => showForm(false)} />}
    </Page>
  );
}

function PartnerForm({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const register = useChange(REGISTER_PARTNER);
  const form = useSendForm({
    initialValues: { name: '' },
    validate: { name: nameError },
    send: async ({ name }) => {
      const partner = await register.mutateAsync({ name: name.trim() });
      notify(`${partner.name} is registered.`);
      navigate(`/partners/${partner.id}`);
    },
  });
  return (
    <FormDialog
      title="Register a partner"
      confirmLabel="Register"
      failureTitle="It was not registered"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="As fans and colleagues know the company."
        data-autofocus
        required
        {...form.getInputProps('name')}
      />
      <Text size="sm" c="dimmed">
        A client comes next: it takes a name, redirect URIs and scopes.
      </Text>
    </FormDialog>
  );
}
