import { useView } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { ViewLoading } from '../../kit/parts/view-loading.tsx';
import { PARTNER_PEOPLE } from './documents.ts';
import { PartnerPeople } from './people.tsx';
import { PartnerProvider } from './provider.tsx';

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
