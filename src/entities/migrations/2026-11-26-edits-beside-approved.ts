/** The origin of a URI that is written as `URL` would write it; null for any other. */
const ORIGIN = `substring(uri from '^(https://[a-z0-9-]+([.][a-z0-9-]+)+(?::[1-9][0-9]*)?)([/?]|$)')`;

/**
 * An edit of an approved client used to take it back to review, with the edit in its row. Now the row keeps what was approved
 * and the open review holds the edit. So a client in review that was approved before gets its approved registration back. It
 * is \`approved\`, not \`enabled\`: a person decides when fans use it again. A client that is left as it is (of a redirect URI
 * whose origin SQL can't tell) goes through its review as before.
 */
export const EDITS_BESIDE_APPROVED = [
  `with approval as (
    select distinct on (client_id) client_id, registration
    from client_review where decision = 'approved' order by client_id, decided_at desc, id desc
  ), registered as (
    select a.client_id, a.registration,
      array(select jsonb_array_elements_text(a.registration -> 'redirectUris')) as uris,
      array(select jsonb_array_elements_text(a.registration -> 'scopes')) as scopes,
      (a.registration ->> 'loopbackAnyPort')::boolean as loopback
    from approval a
  ), origins as (
    select client_id, array_agg(distinct ${ORIGIN}) as origins
    from registered, unnest(uris) as uri
    group by client_id
    having bool_and(${ORIGIN} is not null and uri !~ '^https://[^/?]*:443([/?]|$)')
  ), put_back as (
    update client c
    set status = 'approved', redirect_uris = r.uris, scopes = r.scopes, cors_origins = o.origins,
      loopback_any_port = r.loopback, version = c.version + 1, updated_at = now()
    from registered r join origins o using (client_id)
    where c.id = r.client_id and c.mode = 'production' and c.status = 'in_review'
      and exists (select 1 from client_review open where open.client_id = c.id and open.decision is null)
    returning c.id
  )
  update client_review set note = note || E'\\n(The approved registration is in force again since an update of the service; this edit waits beside it.)'
  where decision is null and client_id in (select id from put_back)`,
];
