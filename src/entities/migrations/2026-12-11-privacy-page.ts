/** Address of the privacy page of a client's company. The release before registers clients without one. */
export const PRIVACY_PAGE = [`alter table "client" add column "privacy_url" varchar(2000) not null default ''`];
