import { later, type ViewRoute } from '../kit/views.tsx';

/** Every view by its path; each is a separate script, loaded on demand. */
export const ROUTES: ViewRoute[] = [
  { path: '/', view: later(async () => (await import('./pages/overview.tsx')).OverviewPage) },
  { path: '/clients', view: later(async () => (await import('./pages/clients.tsx')).ClientsPage) },
  { path: '/clients/new', view: later(async () => (await import('./pages/register-client.tsx')).RegisterClientPage) },
  { path: '/clients/:id', view: later(async () => (await import('./pages/client.tsx')).ClientPage) },
  {
    path: '/clients/:id/starter-kit',
    view: later(async () => (await import('./pages/starter-kit.tsx')).StarterKitPage),
  },
  { path: '/connect', view: later(async () => (await import('./pages/connect.tsx')).ConnectPage) },
  { path: '/go-live-checks', view: later(async () => (await import('./pages/go-live-checks.tsx')).GoLiveChecksPage) },
  {
    path: '/go-live-checks/:id',
    view: later(async () => (await import('./pages/go-live-check.tsx')).GoLiveCheckPage),
  },
  { path: '/requests', view: later(async () => (await import('./pages/requests.tsx')).RequestsPage) },
  { path: '/requests/:id', view: later(async () => (await import('./pages/request.tsx')).RequestPage) },
  { path: '/events', view: later(async () => (await import('./pages/events.tsx')).EventsPage) },
  { path: '/events/:id', view: later(async () => (await import('./pages/endpoint.tsx')).EndpointPage) },
  { path: '/usage', view: later(async () => (await import('./pages/usage.tsx')).UsagePage) },
  { path: '/test-users', view: later(async () => (await import('./pages/test-users.tsx')).TestUsersPage) },
  { path: '/test-events', view: later(async () => (await import('./pages/test-events.tsx')).TestEventsPage) },
  { path: '/permits', view: later(async () => (await import('./pages/permits.tsx')).PermitsPage) },
  { path: '/failures', view: later(async () => (await import('./pages/failures.tsx')).FailuresPage) },
  { path: '/reset-sandbox', view: later(async () => (await import('./pages/reset-sandbox.tsx')).ResetSandboxPage) },
  { path: '/people', view: later(async () => (await import('./pages/people.tsx')).PeoplePage) },
  { path: '/sessions', view: later(async () => (await import('../kit/shell/sessions-page.tsx')).SessionsPage) },
];
