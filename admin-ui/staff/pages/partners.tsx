import { BuildingOffice2Icon } from '@heroicons/react/24/outline';
import { TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/dialog.tsx';
import { nameError, useSendForm } from '../../kit/parts/form.ts';
import { AddButton, ListPage, useFormInAddress } from '../../kit/parts/list.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { searchFilter, useList } from '../../kit/parts/use-list.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

const PARTNERS = graphql(`
  query Partners($search: String, $sort: PartnerSort, ${PAGE.variables}) {
    partners(search: $search, sort: $sort, ${PAGE.args}) {
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
    sorts: { Name: 'NAME', Registered: 'CREATED' },
  });
  const form = useFormInAddress('register', 'clients:write', []);
  return (
    <ListPage
      title="Partners"
      description="Companies that integrate with the service. Most partners own one sandbox client and one production client."
      add={<AddButton label="Register partner" right="clients:write" onClick={form.open} />}
      list={list}
      href={({ id }) => `/partners/${id}`}
      columns={{
        Name: ({ name }) => name,
        Clients: ({ clientCount }) => clientCount.toLocaleString('en'),
        Registered: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      numeric={['Clients']}
      emptyIcon={<BuildingOffice2Icon />}
      emptyTitle="No partners yet"
      emptyText="Register the company, then a sandbox client for it. Its developers can start with that right away."
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
    draft: 'register-partner',
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
      failureTitle="The partner was not registered"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The company’s name, as fans and colleagues know it."
        data-autofocus
        required
        {...form.getInputProps('name')}
      />
      <Quiet>Next, register a client: a name, redirect URIs and scopes.</Quiet>
    </FormDialog>
  );
}
