// Generated from adapters/partner-api/fan/openapi.json by npm run generate.

export interface paths {
    "/tickets": {
        /**
         * Lists the future tickets of the authenticated user
         * @description Tickets of events that have not ended, within the grant and the mode of the token, ordered by the start of the event. A sandbox token sees the tickets of sandbox test users that have a permit for this integration.
         */
        get: operations["fetchTickets"];
    };
    "/authorizations": {
        /**
         * Signs transactions that create or cancel a listing
         * @description Each transaction has exactly one listing instruction of the ticket program, of the kind that `type` names, and at most a compute limit and a compute price beside it. All are judged as one set: either all come back with the fan's signature and the co-signer's, or none. The program's IDL is at `/idl.json`.
         */
        post: operations["createAuthorization"];
    };
    "/claims/execute": {
        /**
         * Claims tickets by signed transfer transactions
         * @description Each transaction is fully signed and has exactly one `transfer_permit_v1` instruction, to the wallet of the authenticated user. All are judged before any is submitted. The same request again gives the same answer.
         */
        post: operations["executeClaim"];
    };
    "/wallet": {
        /**
         * Names the wallet that tickets for the authenticated user go to
         * @description The destination of a transfer that the user will claim with `executeClaim`, also of a user who holds no ticket. It does not change while the user has the account. Not part of the specification: it stands beside the contract.
         */
        get: operations["fetchWallet"];
    };
    "/notifications/poll": {
        /**
         * Polls for Security Event Tokens
         * @description Answers with the tokens that wait for an endpoint, in order, and takes note of those that you have stored (`ack`) or refuse (`setErrs`). What you do not acknowledge comes again. RFC 8936. Not part of the specification: it stands beside the contract.
         */
        post: operations["pollNotifications"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Ticket: {
            id: string;
            /** @description The event identifier of this service */
            svc_event_id: string;
            /** @description The event's onchain address, in base58 */
            tix_event_id: string;
            /** @description The onchain ticket identifier: 32 bytes in base58 */
            tix_ticket_id: string;
            ticket_type_id: string;
            event_name: string;
            ticket_type_name: string;
            /**
             * Format: date-time
             * @description When the ticket was first bought, in UTC. A resale does not change it
             */
            purchase_date: string;
        };
        FetchTicketsResponse: {
            user_id: string;
            tickets: components["schemas"]["Ticket"][];
        };
        CreateAuthorizationRequest: {
            /** @enum {string} */
            type: "list" | "cancel";
            /** @description Serialized transactions in hex or base64; each contains the listing action named by type */
            transactions: string[];
        };
        CreateAuthorizationResponse: {
            /** @description The signed transactions in hex, in the order of the request */
            transactions: string[];
        };
        ExecuteClaimRequest: {
            tickets: {
                /** @description A signed transaction with one transfer_permit_v1 instruction, in hex */
                tx: string;
            }[];
        };
        ExecutedClaim: {
            tix_event_id: string;
            /** @description The permit's onchain address, in base58 */
            tix_permit_id: string;
            ticket_id: string;
            /** @description Who signed the transfer: the holder, or the marketplace of a listed ticket */
            signer_wallet: string;
            /** @description The wallet of the user */
            destination_wallet: string;
            /** @description The transaction's first signature, in base58 */
            transfer_id: string;
        };
        ExecuteClaimResponse: {
            tickets: components["schemas"]["ExecutedClaim"][];
        };
        FetchWalletResponse: {
            /** @description The user's wallet: the destination of a transfer that the user will claim, in base58 */
            wallet_address: string;
        };
        ErrorResponse: {
            message: string;
        };
        ExplainedAccount: {
            /** @description The account’s name in the instruction; null where it is not declared */
            role: string | null;
            /** @description Base58; null where it comes from a lookup table */
            address: string | null;
            signer: boolean;
            writable: boolean;
        };
        ExplainedInstruction: {
            /** @description Address of the program, in base58 */
            program: string;
            /** @description Null where the policy does not know the program */
            program_name: string | null;
            /** @description Null where the instruction is not known */
            name: string | null;
            accounts: components["schemas"]["ExplainedAccount"][];
            /** @description By name; numbers in decimal */
            arguments: {
                [key: string]: string;
            };
            /** @description The data of the instruction in hex */
            data: string;
        };
        ExplainedRule: {
            /** @description The stable name: the code of the refusal, or a name of the published policy */
            rule: string;
            passed: boolean;
            /** @description The rule; where it failed, with what was seen; “not checked: …” where another rule must pass first */
            message: string;
            /** @description What would make it pass; null where it passed */
            fix: string | null;
        };
        ExplainedTransaction: {
            /** @description Whether every rule passed */
            accepted: boolean;
            /** @description Empty where the text holds no transaction */
            instructions: components["schemas"]["ExplainedInstruction"][];
            /** @description Every rule of the policy for this action, in the order of judging */
            rules: components["schemas"]["ExplainedRule"][];
        };
        ExplainResponse: {
            /** @description In the order of the request */
            transactions: components["schemas"]["ExplainedTransaction"][];
        };
        AuthorizeParameters: {
            /** @constant */
            response_type: "code";
            client_id: string;
            redirect_uri: string;
            scope: string;
            state: string;
            code_challenge: string;
            /** @constant */
            code_challenge_method: "S256";
            nonce?: string;
            /** @enum {string} */
            mode?: "sandbox" | "production";
            prompt?: string;
            /** @constant */
            response_mode?: "query";
            login_hint?: string;
            ui_locales?: string;
        };
        AuthorizationCodeRequest: {
            /** @constant */
            grant_type: "authorization_code";
            client_id: string;
            code: string;
            /** @description The one of the authorize request, exactly */
            redirect_uri: string;
            code_verifier: string;
        };
        RefreshRequest: {
            /** @constant */
            grant_type: "refresh_token";
            client_id: string;
            refresh_token: string;
            /** @description May narrow the original scope */
            scope?: string;
        };
        RevokeRequest: {
            /** @description The client that the token was issued to */
            client_id: string;
            /** @description A refresh token or an access token */
            token: string;
            /** @description Ignored: the token shows what it is */
            token_type_hint?: string;
        };
        TokenResponse: {
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
            /** @description Scopes that were requested and are allowed, with spaces between them */
            scope: string;
            granted_actions: ("fan:read" | "fan:write" | "fan:tickets:read" | "fan:tickets:write" | "fan:listings:read" | "fan:listings:write" | "fan:profile:read" | "fan:profile:write" | "fan:waitlist:read" | "fan:waitlist:write" | "fan:cart:read" | "fan:cart:write" | "fan:claims:write")[];
            grant_id: string;
            /** @enum {string} */
            grant_mode: "all_current_future" | "selected";
            /** @enum {string} */
            mode: "sandbox" | "production";
            access_token: string;
            /** @description Where `openid` was requested. Claims: `iss`, `sub`, `aud`, `iat`, `exp`, `auth_time`, `amr`, `at_hash`; at the exchange `nonce` */
            id_token?: string;
            /** @description Where `offline_access` was requested. It works once */
            refresh_token?: string;
            /** @description Seconds, from the sign-in */
            refresh_token_expires_in?: number;
        };
        UserinfoResponse: {
            sub: string;
            scope: string;
            granted_actions: ("fan:read" | "fan:write" | "fan:tickets:read" | "fan:tickets:write" | "fan:listings:read" | "fan:listings:write" | "fan:profile:read" | "fan:profile:write" | "fan:waitlist:read" | "fan:waitlist:write" | "fan:cart:read" | "fan:cart:write" | "fan:claims:write")[];
            grant_id: string;
            /** Format: uri */
            iss: string;
            aud: string;
        };
        OAuthError: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "invalid_token" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "access_denied" | "login_required" | "request_not_supported" | "request_uri_not_supported" | "temporarily_unavailable" | "server_error";
            error_description: string;
        };
        JwkSet: {
            keys: {
                /** @constant */
                kty: "RSA";
                /** @constant */
                use: "sig";
                /** @constant */
                alg: "RS256";
                kid: string;
                n: string;
                e: string;
            }[];
        };
        DiscoveryDocument: {
            /** Format: uri */
            issuer: string;
            /** Format: uri */
            authorization_endpoint: string;
            /** Format: uri */
            token_endpoint: string;
            /** Format: uri */
            userinfo_endpoint: string;
            /** Format: uri */
            jwks_uri: string;
            /** Format: uri */
            revocation_endpoint: string;
            scopes_supported: string[];
            response_types_supported: "code"[];
            grant_types_supported: ("authorization_code" | "refresh_token")[];
            code_challenge_methods_supported: "S256"[];
            token_endpoint_auth_methods_supported: "none"[];
        };
        PollSetsRequest: {
            /**
             * @description Sets to answer with, at most 100. With 0 the poll only acknowledges
             * @default 100
             */
            maxEvents: number;
            /**
             * @description Without it, a poll that finds nothing is held for up to 20 seconds
             * @default false
             */
            returnImmediately: boolean;
            /**
             * @description The jti that you have stored
             * @default []
             */
            ack: string[];
            /**
             * @description The jti that you refuse, with an error of RFC 8935 §2.4
             * @default {}
             */
            setErrs: {
                [key: string]: {
                    err: string;
                    /** @default  */
                    description: string;
                };
            };
        };
        PollSetsResponse: {
            /** @description Security Event Tokens by their jti, in the order in which they are to be read */
            sets: {
                [key: string]: string;
            };
            moreAvailable: boolean;
        };
        /** @description The claims of a Security Event Token (RFC 8417) */
        SecurityEventToken: {
            iss: string;
            aud: string;
            iat: number;
            jti: string;
            /** @description When it happened; seconds since the epoch */
            toe: number;
            /** @description The fan, and the grant as their session; absent of a test */
            sub_id?: {
                /** @constant */
                format: "complex";
                user: {
                    /** @constant */
                    format: "iss_sub";
                    iss: string;
                    sub: string;
                };
                session: {
                    /** @constant */
                    format: "opaque";
                    id: string;
                };
            };
            /** @description One member: https://schemas.openid.net/secevent/caep/event-type/session-revoked, https://schemas.openid.net/secevent/caep/event-type/token-claims-change, urn:fan-api:event:grant-tickets-changed, urn:fan-api:event:ticket-moved, urn:fan-api:event:claim-settled, urn:fan-api:event:listing-ended, https://schemas.openid.net/secevent/ssf/event-type/verification */
            events: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The body of a Standard Webhook */
        WebhookBody: {
            /** @enum {string} */
            type: "grant.revoked" | "grant.actions_changed" | "grant.tickets_changed" | "ticket.moved" | "claim.settled" | "listing.ended" | "endpoint.test";
            /**
             * Format: date-time
             * @description When it happened
             */
            timestamp: string;
            data: {
                sub?: string;
                grant_id?: string;
            } & {
                [key: string]: unknown;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    fetchTickets: {
        parameters: {
            query?: {
                /** @description A service event identifier or an onchain event identifier (`tix_event_id`). One that matches no event, whatever it looks like, gives an empty list. */
                event_id?: string;
                /** @description Tickets per page. Without it all of them come at once. */
                limit?: number;
                /** @description From the `Link` header of the page before. */
                cursor?: string;
            };
        };
        responses: {
            /** @description The tickets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchTicketsResponse"];
                };
            };
        };
    };
    createAuthorization: {
        parameters: {
            header?: {
                /**
                 * @description Sandbox only: with `explain` each transaction is judged by every rule, and nothing is signed, submitted or written. Any text may then stand for a transaction. In production it is ignored (RFC 7240 §2).
                 * @example explain
                 */
                Prefer?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAuthorizationRequest"];
            };
        };
        responses: {
            /** @description The signed transactions. With `Preference-Applied: explain` the explanation of each transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAuthorizationResponse"] | components["schemas"]["ExplainResponse"];
                };
            };
        };
    };
    executeClaim: {
        parameters: {
            header?: {
                /**
                 * @description Sandbox only: with `explain` each transaction is judged by every rule, and nothing is signed, submitted or written. Any text may then stand for a transaction. In production it is ignored (RFC 7240 §2).
                 * @example explain
                 */
                Prefer?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecuteClaimRequest"];
            };
        };
        responses: {
            /** @description The tickets, now claimed for the user. With `Preference-Applied: explain` the explanation of each transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecuteClaimResponse"] | components["schemas"]["ExplainResponse"];
                };
            };
        };
    };
    fetchWallet: {
        responses: {
            /** @description The wallet of the user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchWalletResponse"];
                };
            };
        };
    };
    pollNotifications: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PollSetsRequest"];
            };
        };
        responses: {
            /** @description The tokens that wait. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PollSetsResponse"];
                };
            };
        };
    };
}
