import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { InviteMember } from '../../kit/people/invite-member.tsx';
import { Members } from '../../kit/people/members.tsx';
import {
  END_MEMBER_SESSIONS,
  INVITE_MEMBER,
  type PeopleOfPartner,
  RESEND_INVITATION,
  REVOKE_MEMBER,
  SET_MEMBER_ROLE,
} from './documents.ts';

const RIGHT = 'members:write';

/** Who of a partner may open its workspace: invite, invite again, set roles, remove. */
export function PartnerPeople({ partner }: { partner: PeopleOfPartner }) {
  const [inviting, setInviting] = useState(false);
  const { mutateAsync: sendInvitation } = useChange(INVITE_MEMBER);
  const { mutateAsync: resend } = useChange(RESEND_INVITATION);
  const { mutateAsync: revoke } = useChange(REVOKE_MEMBER);
  const { mutateAsync: setRole } = useChange(SET_MEMBER_ROLE);
  const { mutateAsync: endSessions } = useChange(END_MEMBER_SESSIONS);
  const invite = (
    <ActionButton
      size="xs"
      right={RIGHT}
      leftSection={<IconUserPlus size={16} aria-hidden />}
      onClick={() => setInviting(true)}
    >
      Invite a person
    </ActionButton>
  );
  return (
    <Section
      title="People"
      description="They use the partner workspace: clients, test data and requests of this partner only. Its administrators invite and remove people too."
      actions={partner.members.length > 0 && invite}
    >
      {partner.members.length === 0 ? (
        <EmptyState icon={<IconUsers />} title="Nobody yet" actions={invite}>
          Invite the partner’s developers by e-mail. They see only what is the partner’s.
        </EmptyState>
      ) : (
        <Members
          members={partner.members}
          changes={{
            right: RIGHT,
            resend: (memberId) => resend({ memberId }),
            revoke: (memberId, reason) => revoke({ memberId, reason }),
            setRole: (memberId, role) => setRole({ memberId, role }),
            endSessions: (memberId, reason) => endSessions({ memberId, reason }),
          }}
        />
      )}
      {inviting && (
        <InviteMember
          partner={partner}
          invite={(wish) => sendInvitation({ partnerId: partner.id, ...wish })}
          onClose={() => setInviting(false)}
        />
      )}
    </Section>
  );
}
