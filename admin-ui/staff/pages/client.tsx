import { ClientPage as Client } from '../../kit/client/client-page.tsx';
import { ClientConfiguration } from '../client/configuration.tsx';
import { CLIENT, openReviewOf } from '../client/document.ts';
import { ClientEvents } from '../client/events-tab.tsx';
import { ClientHistory } from '../client/history.tsx';
import { ClientOverview } from '../client/overview.tsx';
import { ClientReviewTab } from '../client/review-tab.tsx';
import { LifecycleActions } from '../client/take-step.tsx';

/** One client: overview, configuration, reviews and history. */
export function ClientPage() {
  return (
    <Client
      document={CLIENT}
      owner={({ partner }) => ({ title: partner.name, href: `/partners/${partner.id}` })}
      isStopped={({ killSwitch }) => killSwitch !== null}
      isInReview={(client) => openReviewOf(client) !== undefined}
      actions={(client) => <LifecycleActions client={client} />}
      parts={{
        overview: ['Overview', ClientOverview],
        configuration: ['Configuration', ClientConfiguration],
        review: ['Review', ClientReviewTab],
        events: ['Events', ClientEvents],
        history: ['History', ClientHistory],
      }}
    />
  );
}
