import { Text, TextInput } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { graphql, PAGE, REFUSAL } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import { AddButton, useFormInAddress } from '../parts/add-button.tsx';
import { searchFilter } from '../parts/filters.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { Moment } from '../parts/moment.tsx';
import { notify } from '../parts/undo.tsx';
import { useList } from '../parts/use-list.tsx';
import { nameError, useSendForm } from '../parts/use-send-form.ts';

const PARTNERS = graphql(`
  query Partners($search: String, ${PAGE.variables}) {
    partners(search: $search, ${PAGE.args}) {
      ${PAGE.fields}
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
  const list = useList({
    document: PARTNERS,
    filters: { search: searchFilter('Search partners', 'Name') },
    variables: (page, { search }) => ({ ...page, search }),
    connection: ({ partners }) => partners,
  });
  const form = useFormInAddress('register', 'clients:write', []);
  return (
    <ListPage
      title="Partners"
      description="A partner is a company that integrates with the service. It owns OAuth clients: usually one for sandbox and one for production."
      add={<AddButton label="Register partner" right="clients:write" onClick={form.open} />}
      list={list}
      href={({ id }) => `/partners/${id}`}
      columns={{
        Name: ({ name }) => name,
        Clients: ({ clientCount }) => clientCount.toLocaleString('en'),
        Registered: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      numeric={['Clients']}
      emptyIcon={<IconBuilding />}
      emptyTitle="No partner yet"
      emptyText="Register the company first; then register a sandbox client for it, with which its developers can begin at once."
    >
      {form.isOpen && <PartnerForm onClose={form.close} />}
    </ListPage>
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
