import { type ComponentType, lazy } from 'react';

/** Every view by its address; each is a script of its own, loaded when it is first shown. */
export const ROUTES: { path: string; view: ComponentType }[] = [
  { path: '/', view: lazy(async () => ({ default: (await import('./pages/home.tsx')).HomePage })) },
  { path: '/partners', view: lazy(async () => ({ default: (await import('./pages/partners.tsx')).PartnersPage })) },
  { path: '/partners/:id', view: lazy(async () => ({ default: (await import('./pages/partner.tsx')).PartnerPage })) },
  { path: '/clients', view: lazy(async () => ({ default: (await import('./pages/clients.tsx')).ClientsPage })) },
  {
    path: '/clients/new',
    view: lazy(async () => ({ default: (await import('./pages/register-client.tsx')).RegisterClientPage })),
  },
  { path: '/clients/:id', view: lazy(async () => ({ default: (await import('./pages/client.tsx')).ClientPage })) },
  { path: '/reviews', view: lazy(async () => ({ default: (await import('./pages/reviews.tsx')).ReviewsPage })) },
  { path: '/timeline', view: lazy(async () => ({ default: (await import('./pages/timeline.tsx')).TimelinePage })) },
  { path: '/requests/:id', view: lazy(async () => ({ default: (await import('./pages/request.tsx')).RequestPage })) },
  { path: '/dashboard', view: lazy(async () => ({ default: (await import('./pages/dashboard.tsx')).DashboardPage })) },
  { path: '/keys', view: lazy(async () => ({ default: (await import('./pages/keys.tsx')).KeysPage })) },
  {
    path: '/kill-switches',
    view: lazy(async () => ({ default: (await import('./pages/kill-switches.tsx')).KillSwitchesPage })),
  },
  { path: '/audit', view: lazy(async () => ({ default: (await import('./pages/audit.tsx')).AuditPage })) },
  { path: '/staff', view: lazy(async () => ({ default: (await import('./pages/staff.tsx')).StaffPage })) },
  { path: '/tokens', view: lazy(async () => ({ default: (await import('./pages/tokens.tsx')).TokensPage })) },
  { path: '/sessions', view: lazy(async () => ({ default: (await import('./pages/sessions.tsx')).SessionsPage })) },
  {
    path: '/verification',
    view: lazy(async () => ({ default: (await import('./pages/verification.tsx')).VerificationPage })),
  },
  {
    path: '/clients/:id/starter-kit',
    view: lazy(async () => ({ default: (await import('./pages/starter-kit.tsx')).StarterKitPage })),
  },
  {
    path: '/partners/:id/reset-sandbox',
    view: lazy(async () => ({ default: (await import('./pages/reset-sandbox.tsx')).ResetSandboxPage })),
  },
  {
    path: '/test-users',
    view: lazy(async () => ({ default: (await import('./pages/test-users.tsx')).TestUsersPage })),
  },
  {
    path: '/test-events',
    view: lazy(async () => ({ default: (await import('./pages/test-events.tsx')).TestEventsPage })),
  },
  {
    path: '/permits',
    view: lazy(async () => ({ default: (await import('./pages/permits.tsx')).PermitsPage })),
  },
  {
    path: '/permits/:id',
    view: lazy(async () => ({ default: (await import('./pages/permit.tsx')).PermitPage })),
  },
  {
    path: '/fans',
    view: lazy(async () => ({ default: (await import('./pages/fans.tsx')).FansPage })),
  },
  {
    path: '/fans/:id',
    view: lazy(async () => ({ default: (await import('./pages/fan.tsx')).FanPage })),
  },
  {
    path: '/grants',
    view: lazy(async () => ({ default: (await import('./pages/grants.tsx')).GrantsPage })),
  },
  {
    path: '/grants/:id',
    view: lazy(async () => ({ default: (await import('./pages/grant.tsx')).GrantPage })),
  },
  {
    path: '/listings',
    view: lazy(async () => ({ default: (await import('./pages/listings.tsx')).ListingsPage })),
  },
  {
    path: '/listings/:id',
    view: lazy(async () => ({ default: (await import('./pages/listing.tsx')).ListingPage })),
  },
  {
    path: '/claims',
    view: lazy(async () => ({ default: (await import('./pages/claims.tsx')).ClaimsPage })),
  },
  {
    path: '/claims/:id',
    view: lazy(async () => ({ default: (await import('./pages/claim.tsx')).ClaimPage })),
  },
];
