import { UsersIcon } from '@heroicons/react/24/outline';
import { Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ChangeButton, DialogButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { EmptyState, FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { InviteButton, Members } from '../../kit/people/members.tsx';
import { graphql } from '../data/graphql.ts';

const PARTNER_PEOPLE = graphql(`
  query PartnerPeople($id: ID!) {
    partner(id: $id) {
      id name signInCallbackUrl
      members { id name email role state invitationSent invitationExpiresAt lastSignInAt }
      signInProvider { issuer clientId hasSecret setAt setBy { id name } }
    }
  }
`);

type PeopleOfPartner = NonNullable<ResultOf<typeof PARTNER_PEOPLE>['partner']>;

const INVITE_MEMBER = graphql(`
  mutation InvitePartnerMember($partnerId: ID!, $name: String!, $email: String!, $role: PartnerMemberRole!) {
    invitePartnerMember(partnerId: $partnerId, name: $name, email: $email, role: $role) {
      ${REFUSAL} ... on PartnerMember { id invitationSent }
    }
  }
`);

const RESEND_INVITATION = graphql(`
  mutation ResendPartnerInvitation($memberId: ID!) {
    resendPartnerInvitation(memberId: $memberId) { ${REFUSAL} ... on PartnerMember { id invitationSent } }
  }
`);

const REVOKE_MEMBER = graphql(`
  mutation RevokePartnerMember($memberId: ID!, $reason: String!) {
    revokePartnerMember(memberId: $memberId, reason: $reason) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

const SET_MEMBER_ROLE = graphql(`
  mutation SetPartnerMemberRole($memberId: ID!, $role: PartnerMemberRole!) {
    setPartnerMemberRole(memberId: $memberId, role: $role) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

const END_MEMBER_SESSIONS = graphql(`
  mutation EndPartnerMemberSessions($memberId: ID!, $reason: String!) {
    endPartnerMemberSessions(memberId: $memberId, reason: $reason) { ${REFUSAL} ... on PartnerMember { id } }
  }
`);

const SET_PROVIDER = graphql(`
  mutation SetPartnerProvider($partnerId: ID!, $issuer: String!, $clientId: String!, $clientSecret: String) {
    setPartnerProvider(partnerId: $partnerId, issuer: $issuer, clientId: $clientId, clientSecret: $clientSecret) {
      ${REFUSAL} ... on Partner { id }
    }
  }
`);

const REMOVE_PROVIDER = graphql(`
  mutation RemovePartnerProvider($partnerId: ID!) {
    removePartnerProvider(partnerId: $partnerId) { ${REFUSAL} ... on Partner { id } }
  }
`);

/** Who of a partner may open its workspace: invite, invite again, set roles, remove. */
function PartnerPeople({ partner }: { partner: PeopleOfPartner }) {
  const { mutateAsync: sendInvitation } = useChange(INVITE_MEMBER);
  const { mutateAsync: resend } = useChange(RESEND_INVITATION);
  const invite = (
    <InviteButton size="xs" partner={partner} invite={(wish) => sendInvitation({ partnerId: partner.id, ...wish })} />
  );
  return (
    <Section
      title="People"
      description="They use the partner workspace: clients, test data and requests of this partner only. Its administrators invite and remove people too."
      actions={partner.members.length > 0 && invite}
    >
      {partner.members.length === 0 ? (
        <EmptyState icon={<UsersIcon />} title="Nobody yet" actions={invite}>
          Invite the partner’s developers by e-mail. They see only what is the partner’s.
        </EmptyState>
      ) : (
        <Members
          members={partner.members}
          changes={{
            resend: (memberId) => resend({ memberId }),
            revoke: REVOKE_MEMBER,
            setRole: SET_MEMBER_ROLE,
            endSessions: END_MEMBER_SESSIONS,
          }}
        />
      )}
    </Section>
  );
}

/** On a partner's page: who of it uses the partner workspace, and how they sign in. */
export function WorkspaceParts({ partnerId }: { partnerId: string }) {
  const { data, error, refetch } = useView('partner-people', PARTNER_PEOPLE, { id: partnerId });
  if (error && !data) return <FailureAlert failure={error} title="The people could not be loaded" retry={refetch} />;
  if (!data) return <ViewLoading />;
  if (!data.partner) return null;
  return (
    <>
      <PartnerPeople partner={data.partner} />
      <PartnerProvider partner={data.partner} />
    </>
  );
}

const PROVIDER_RIGHT = 'providers:write';

/** How the people of a partner sign in: by e-mail, or with the partner's own OIDC provider. */
function PartnerProvider({ partner }: { partner: PeopleOfPartner }) {
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
            right={PROVIDER_RIGHT}
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
      right={PROVIDER_RIGHT}
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
    },
    onClose,
  });
  return (
    <FormDialog
      title={`Sign-in provider of ${partner.name}`}
      confirmLabel="Set the provider"
      failureTitle="Nothing was changed"
      form={form}
    >
      <Stack gap={4}>
        <Text size="sm">
          Anyone who runs this provider can sign in as each of the partner’s people. Register this redirect URI there:
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
