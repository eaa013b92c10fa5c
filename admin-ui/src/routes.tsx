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
];
