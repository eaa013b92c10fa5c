import { ClientPage as Client } from '../../kit/client/client-page.tsx';
import { ClientCalls } from '../client/calls.tsx';
import { ClientConfiguration } from '../client/configuration.tsx';
import { CLIENT } from '../client/document.ts';
import { ClientOverview } from '../client/overview.tsx';
import { ClientReviews } from '../client/reviews.tsx';

/** One client: overview, configuration, how to call, and its reviews. */
export function ClientPage() {
  return (
    <Client
      document={CLIENT}
      isStopped={({ isStopped }) => isStopped}
      isInReview={({ openReview }) => openReview !== null}
      parts={{
        overview: ['Overview', ClientOverview],
        configuration: ['Configuration', ClientConfiguration],
        calls: ['How to call', ClientCalls],
        review: ['Review', ClientReviews],
      }}
    />
  );
}
