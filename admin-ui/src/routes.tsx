import { type ComponentType, useEffect, useState } from 'react';
import { ViewLoading } from './parts/view-loading.tsx';

/** Every view by its path; each is a separate script, loaded on demand. */
export const ROUTES: { path: string; view: ComponentType }[] = [
  { path: '/', view: later(async () => (await import('./pages/home.tsx')).HomePage) },
  { path: '/partners', view: later(async () => (await import('./pages/partners.tsx')).PartnersPage) },
  { path: '/partners/:id', view: later(async () => (await import('./pages/partner.tsx')).PartnerPage) },
  { path: '/clients', view: later(async () => (await import('./pages/clients.tsx')).ClientsPage) },
  { path: '/clients/new', view: later(async () => (await import('./pages/register-client.tsx')).RegisterClientPage) },
  { path: '/clients/:id', view: later(async () => (await import('./pages/client.tsx')).ClientPage) },
  { path: '/reviews', view: later(async () => (await import('./pages/reviews.tsx')).ReviewsPage) },
  { path: '/proposals', view: later(async () => (await import('./pages/proposals.tsx')).ProposalsPage) },
  { path: '/proposals/:id', view: later(async () => (await import('./pages/proposal.tsx')).ProposalPage) },
  { path: '/timeline', view: later(async () => (await import('./pages/timeline.tsx')).TimelinePage) },
  { path: '/requests', view: later(async () => (await import('./pages/requests.tsx')).RequestsPage) },
  { path: '/requests/:id', view: later(async () => (await import('./pages/request.tsx')).RequestPage) },
  { path: '/dashboard', view: later(async () => (await import('./pages/dashboard.tsx')).DashboardPage) },
  { path: '/keys', view: later(async () => (await import('./pages/keys.tsx')).KeysPage) },
  { path: '/kill-switches', view: later(async () => (await import('./pages/kill-switches.tsx')).KillSwitchesPage) },
  { path: '/audit', view: later(async () => (await import('./pages/audit.tsx')).AuditPage) },
  { path: '/staff', view: later(async () => (await import('./pages/staff.tsx')).StaffPage) },
  { path: '/tokens', view: later(async () => (await import('./pages/tokens.tsx')).TokensPage) },
  { path: '/sessions', view: later(async () => (await import('./pages/sessions.tsx')).SessionsPage) },
  { path: '/verification', view: later(async () => (await import('./pages/verification.tsx')).VerificationPage) },
  {
    path: '/clients/:id/starter-kit',
    view: later(async () => (await import('./pages/starter-kit.tsx')).StarterKitPage),
  },
  {
    path: '/partners/:id/reset-sandbox',
    view: later(async () => (await import('./pages/reset-sandbox.tsx')).ResetSandboxPage),
  },
  { path: '/test-users', view: later(async () => (await import('./pages/test-users.tsx')).TestUsersPage) },
  { path: '/test-events', view: later(async () => (await import('./pages/test-events.tsx')).TestEventsPage) },
  { path: '/permits', view: later(async () => (await import('./pages/permits.tsx')).PermitsPage) },
  { path: '/permits/:id', view: later(async () => (await import('./pages/permit.tsx')).PermitPage) },
  { path: '/fans', view: later(async () => (await import('./pages/fans.tsx')).FansPage) },
  { path: '/fans/:id', view: later(async () => (await import('./pages/fan.tsx')).FanPage) },
  { path: '/grants', view: later(async () => (await import('./pages/grants.tsx')).GrantsPage) },
  { path: '/grants/:id', view: later(async () => (await import('./pages/grant.tsx')).GrantPage) },
  { path: '/listings', view: later(async () => (await import('./pages/listings.tsx')).ListingsPage) },
  { path: '/listings/:id', view: later(async () => (await import('./pages/listing.tsx')).ListingPage) },
  { path: '/claims', view: later(async () => (await import('./pages/claims.tsx')).ClaimsPage) },
  { path: '/claims/:id', view: later(async () => (await import('./pages/claim.tsx')).ClaimPage) },
];

/** Loads a view's script when it is first shown. React's `lazy` would show its placeholder for at least 300 ms. */
function later(load: () => Promise<ComponentType>): ComponentType {
  let View: ComponentType | undefined;
  return function Later() {
    const [fault, setFault] = useState<unknown>();
    const [, setLoaded] = useState(View !== undefined);
    useEffect(() => {
      if (View !== undefined) return;
      load().then((view) => {
        View = view;
        setLoaded(true);
      }, setFault);
    }, []);
    // for FaultBoundary
    if (fault !== undefined) throw fault;
    return View === undefined ? <ViewLoading /> : <View />;
  };
}
