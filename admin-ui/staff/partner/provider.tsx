import { Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useChange } from '../../kit/data/view.ts';
import { ChangeButton, DialogButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { notify } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { type PeopleOfPartner, REMOVE_PROVIDER, SET_PROVIDER } from './people.tsx';

const RIGHT = 'providers:write';

/** How the people of a partner sign in: by e-mail, or with the partner's own OIDC provider. */
export function PartnerProvider({ partner }: { partner: PeopleOfPartner }) {
  const { signInProvider: provider, signInCallbackUrl } = partner;
  return (
    <Section
      title="Sign-in of its people"
      description={
        provider === null
          ? 'By a link in an e-mail. A partner can bring its own OpenID Connect provider instead.'
          : 'With the partner’s own OpenID Connect provider, and no longer by links in e-mails.'
      }
      actions={
        <Group gap="xs">
          <DialogButton
            size="xs"
            right={RIGHT}
            fresh
            dialog={(close) => <SetProvider partner={partner} onClose={close} />}
          >
            {provider === null ? 'Set a provider' : 'Change the provider'}
          </DialogButton>
          {provider !== null && <RemoveProvider partner={partner} />}
        </Group>
      }
    >
      {provider !== null && (
        <Facts
          of={{
            Issuer: <CopyText text={provider.issuer} label="issuer" />,
            'Client ID there': provider.clientId,
            'Client secret': provider.hasSecret ? 'Set' : 'None: a public client',
            Set: (
              <span>
                <Moment at={provider.setAt} /> by {provider.setBy?.name ?? 'the system'}
              </span>
            ),
          }}
        />
      )}
      <Facts of={{ 'Redirect URI for the provider': <CopyText text={signInCallbackUrl} label="redirect URI" /> }} />
    </Section>
  );
}

function RemoveProvider({ partner }: { partner: PeopleOfPartner }) {
  return (
    <ChangeButton
      size="xs"
      right={RIGHT}
      fresh
      title={`Remove the provider of ${partner.name}`}
      confirmLabel="Remove"
      dangerous
      change={REMOVE_PROVIDER}
      variables={() => ({ partnerId: partner.id })}
      done={`People of ${partner.name} sign in by e-mail again.`}
    >
      The people of {partner.name} sign in by links in e-mails again.
    </ChangeButton>
  );
}

function SetProvider({ partner, onClose }: { partner: PeopleOfPartner; onClose: () => void }) {
  const set = useChange(SET_PROVIDER);
  const { signInProvider: provider } = partner;
  // no draft: it has a secret
  const form = useSendForm({
    initialValues: { issuer: provider?.issuer ?? '', clientId: provider?.clientId ?? '', clientSecret: '' },
    validate: {
      issuer: (issuer) => (issuer.trim() === '' ? 'Enter the issuer.' : null),
      clientId: (id) => (id.trim() === '' ? 'Enter the client ID.' : null),
    },
    send: async ({ issuer, clientId, clientSecret }) => {
      await set.mutateAsync({
        partnerId: partner.id,
        issuer: issuer.trim(),
        clientId: clientId.trim(),
        clientSecret: clientSecret === '' ? null : clientSecret,
      });
      notify(`People of ${partner.name} sign in with its provider from now on.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Sign-in provider of ${partner.name}`}
      confirmLabel="Set the provider"
      failureTitle="Nothing was changed"
      form={form}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text size="sm">
          Whoever runs this provider can sign in as each of the partner’s people. Register this redirect URI there:
        </Text>
        <CopyText text={partner.signInCallbackUrl} label="redirect URI" />
      </Stack>
      <TextInput
        label="Issuer"
        description="As its discovery document names it, such as https://login.company.com."
        required
        data-autofocus
        inputMode="url"
        {...form.getInputProps('issuer')}
      />
      <TextInput label="Client ID" required maxLength={300} autoComplete="off" {...form.getInputProps('clientId')} />
      <PasswordInput
        label="Client secret"
        description="Leave it empty for a public client."
        maxLength={1000}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
        {...form.getInputProps('clientSecret')}
      />
    </FormDialog>
  );
}
