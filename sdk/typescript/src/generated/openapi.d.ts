// Made from the OpenAPI document by test/api/openapi/openapi-types.test.ts; renew it with vitest -u.
export interface paths {
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description Needs no key.
         */
        get: operations["readOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/venues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the venues
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listVenues"];
        put?: never;
        /**
         * Create a venue
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        post: operations["createVenue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/venues/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a venue
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readVenue"];
        put?: never;
        post?: never;
        /**
         * Archive a venue that has no screens
         * @description Its earnings, payouts and reports stay; it is in no list any more. A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        delete: operations["deleteVenue"];
        options?: never;
        head?: never;
        /**
         * Change a venue
         * @description `opening_hours` and `blocked_categories` are replaced as a whole; of `visibility` the fields that are sent are changed and the others stay. A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        patch: operations["changeVenue"];
        trace?: never;
    };
    "/v1/venues/{id}/menu": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the menu of a venue
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readVenueMenu"];
        /**
         * Replace the menu of a venue; screens that show it are told at once
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        put: operations["replaceVenueMenu"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playlists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the playlists of the workspace, or of a venue
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listPlaylists"];
        put?: never;
        /**
         * Create a playlist
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        post: operations["createPlaylist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playlists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a playlist
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readPlaylist"];
        put?: never;
        post?: never;
        /**
         * Archive a playlist; its screens fall back to the default of their venue
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        delete: operations["deletePlaylist"];
        options?: never;
        head?: never;
        /**
         * Change a playlist; screens that run it are told at once
         * @description `items` are replaced as a whole: send all of them, in their order. A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        patch: operations["changePlaylist"];
        trace?: never;
    };
    "/v1/pairing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a pairing code
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        post: operations["createPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pairing/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether a code was claimed
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readPairing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pairing/{code}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a code from the device; needs no key
         * @description Needs no key.
         */
        post: operations["confirmPairing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the screens
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listScreens"];
        put?: never;
        /**
         * Pair a screen by the code that it shows
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        post: operations["createScreen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a screen
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readScreen"];
        put?: never;
        post?: never;
        /**
         * Unpair a screen
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        delete: operations["deleteScreen"];
        options?: never;
        head?: never;
        /**
         * Change a screen
         * @description `blocked_categories` is replaced as a whole: send all of them that shall stay. A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        patch: operations["changeScreen"];
        trace?: never;
    };
    "/v1/screens/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when a screen was online and offline in the last 30 days
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listScreenHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screens/{id}/sensor/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a sensing module has to sign to be paired with a screen
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        post: operations["challengeSensor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screens/{id}/sensor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pair a screen with the sensing module that signed the challenge
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        post: operations["pairSensor"];
        /**
         * Take the sensing module from a screen
         * @description A read-write key of the surface `screen_manager`; owner, admin or manager.
         */
        delete: operations["unpairSensor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/creatives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the creatives
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["listCreatives"];
        put?: never;
        /**
         * Create a creative and get the address for its file
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["createCreative"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/creatives/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a creative
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["readCreative"];
        put?: never;
        post?: never;
        /**
         * Detach a creative from its campaigns
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        delete: operations["deleteCreative"];
        options?: never;
        head?: never;
        /**
         * Change a creative, or name its file
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        patch: operations["changeCreative"];
        trace?: never;
    };
    "/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the assets
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["listAssets"];
        put?: never;
        /**
         * Create an asset and get the address for its image
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["createAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an asset
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["readAsset"];
        put?: never;
        post?: never;
        /**
         * Archive an asset that nothing shows
         * @description Refused while a playlist shows it or a venue has it as its photo; they are named. An archived asset can be read and restored. A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an archived asset
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["restoreAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the campaigns
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a campaign with its delivery
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readCampaign"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign and refund what it has not spent
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a campaign, or submit a draft
         * @description Fields that are objects or lists (`budget`, `targets`, `schedule`, `creatives`, `frequency`) are replaced as a whole: send all of them that shall stay. A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
         */
        patch: operations["changeCampaign"];
        trace?: never;
    };
    "/v1/campaigns/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Results by day, hour and screen
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readCampaignResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the categories that a campaign may have
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/venue-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types that a venue may have
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["listVenueTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cities in which screens stand
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["listCities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forecasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forecast what a plan would reach, with a 90% band
         * @description A read-write key of the surface `ads_manager` or `agency`; every role.
         */
        post: operations["createForecast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the places at which a campaign was shown
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listCampaignPlaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the places that could be booked
         * @description Venues with paired screens, newest first unless `sort` says otherwise, with what a play costs there by the rate card and what the forecast says is left in the days asked for. Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the wallet
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was booked on the wallet
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listWalletTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/top-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the top-ups
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listTopUps"];
        put?: never;
        /**
         * Ask for money on the wallet; play money comes at once
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or finance.
         */
        post: operations["createWalletTopUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/top-ups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a top-up
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readTopUp"];
        put?: never;
        post?: never;
        /**
         * Call a top-up off that has not been credited
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or finance.
         */
        delete: operations["cancelTopUp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet/top-ups/{id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a page on which a top-up is paid
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or finance.
         */
        post: operations["openCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invoices and credit notes
         * @description Test keys list the test invoices of the sandbox alone: a month of play money is invoiced when the clock of the sandbox has passed its end. There are no credit notes of play money. Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invoice or a credit note with its lines
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDF of an invoice by its signed address
         * @description Needs no key.
         */
        get: operations["downloadInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where payouts go
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readPayoutAccount"];
        /**
         * Say where payouts go
         * @description A read-write key of the surface `screen_manager`; owner, admin or finance.
         */
        put: operations["replacePayoutAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/earnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List earnings by day, screen, venue or category
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listEarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/earnings/plays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the plays behind earnings
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listEarnedPlays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the monthly statements of earnings
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/statements/{month}/{currency}/{workspace}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDF of a statement by its signed address
         * @description Needs no key.
         */
        get: operations["downloadStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payouts
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Withdraw earnings
         * @description A read-write key of the surface `screen_manager`; owner, admin or finance.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what may be withdrawn
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readEarningsBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List why earnings are held
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["listEarningsHolds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout with its line items
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agency/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the client workspaces
         * @description Any key of the surface `agency`; every role.
         */
        get: operations["listAgencyClients"];
        put?: never;
        /**
         * Create a client workspace
         * @description A read-write key of the surface `agency`; owner or admin.
         */
        post: operations["createAgencyClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agency/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Archive a client workspace
         * @description Refused while a campaign of it runs, waits for its review or is paused (they are named), and while its wallet holds money. An archived client can be read, and so can its campaigns, reports and invoices; nothing in it changes until it is restored. A read-write key of the surface `agency`; owner or admin.
         */
        delete: operations["deleteAgencyClient"];
        options?: never;
        head?: never;
        /**
         * Change a client workspace, or what all clients inherit
         * @description Fields that are objects or lists (`branding`, `billing_details`, `seats`) are replaced as a whole: send all of them that shall stay. A read-write key of the surface `agency`; owner or admin.
         */
        patch: operations["changeAgencyClient"];
        trace?: never;
    };
    "/v1/agency/clients/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an archived client workspace
         * @description A read-write key of the surface `agency`; owner or admin.
         */
        post: operations["restoreAgencyClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agency/clients/{id}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move money between the wallets of the agency and a client
         * @description A read-write key of the surface `agency`; owner or admin.
         */
        post: operations["transferToClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agency/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the campaigns of all clients that wait for the approval of the agency
         * @description To approve one, act as its client (`X-Workspace-Id`) and send `PATCH /campaigns/{id}` with the status `pending_review`. Any key of the surface `agency`; every role.
         */
        get: operations["listAgencyApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agency/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report of costs and discounts by client, region, daypart or campaign
         * @description Any key of the surface `agency`; every role.
         */
        get: operations["readAgencyReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key; the old one stays valid for 24 hours
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key at once
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask who calls: person, workspace, role and permissions
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["readMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open sessions of the person
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Sign in with an address and a password
         * @description For browsers: the answer sets the cookie `marquee_session`. The call needs the header `X-Requested-With: marquee-console`, as do all writes with the cookie. After ten wrong passwords or codes an address waits for a quarter of an hour. Needs no key.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how people sign in here
         * @description Needs no key.
         */
        get: operations["readSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a link of the demo
         * @description Of `npm run demo` alone, which prints the links: every other installation refuses them. Needs no key.
         */
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out
         * @description Ends the session that the call is made with, and its cookie. A key has none. A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the person
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the own account
         * @description Of the person who is signed in. A key has none, here as in the other calls of the account. Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        get: operations["readAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the own name
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        patch: operations["changeAccount"];
        trace?: never;
    };
    "/v1/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the own password; all other sessions end
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a second factor
         * @description Sign-ins ask for its codes once one of them was shown by `POST /v1/account/second-factor/confirm`. A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor with a first code
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/second-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor with a code of it
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        post: operations["removeSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin linking an account of the OpenID provider
         * @description For browsers: the answer sets a cookie, and names the address of the provider, which leads back to the console. From then on that account signs the person in. A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        post: operations["beginLink"];
        /**
         * Let no account of an OpenID provider sign the person in
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
         */
        delete: operations["removeIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of the workspace
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Let a member leave; the keys of that person end at once
         * @description One may leave oneself. The last owner cannot. A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys of the mode `live` alone.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Give a member another role
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys of the mode `live` alone.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody to the workspace
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys of the mode `live` alone.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys of the mode `live` alone.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what an invitation is to
         * @description For the page that accepts it. It changes nothing: it is a POST so that the token stands in no address. Needs no key.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation and get a key, or a password to sign in with
         * @description A key is shown in this answer only. Whoever has lost it asks an admin of the workspace for another. With a password there is no key: the person signs in with `POST /v1/sessions`. Needs no key.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a workspace of one's own, where the operator opens it
         * @description The workspace is `in_review`, without money, until the operator approves it; the person is its owner. The key is shown in this answer only. Needs no key.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/screens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the simulated screens
         * @description Any key of the surface `ads_manager` or `agency`; every role. Keys of the mode `test` alone.
         */
        get: operations["listSandboxScreens"];
        put?: never;
        /**
         * Make simulated screens in a place of the sandbox
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager. Keys of the mode `test` alone.
         */
        post: operations["addSandboxScreens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/screens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a simulated screen
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager. Keys of the mode `test` alone.
         */
        delete: operations["deleteSandboxScreen"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what time it is in the sandbox, and whether its clock moves
         * @description Any key of the surface `ads_manager` or `agency`; every role. Keys of the mode `test` alone.
         */
        get: operations["readSandboxClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the clock of the sandbox; its simulated screens play what is due
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager. Keys of the mode `test` alone.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit entries
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the audit entries as CSV
         * @description A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner, admin or finance.
         */
        post: operations["createAuditExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/export/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of an export
         * @description Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
         */
        get: operations["readAuditExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe an address to events
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook
         * @description `events` is replaced as a whole: send all of them that shall stay. A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook; both sign for 24 hours
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample of an event type to a webhook
         * @description The sample of the reference, signed and retried like any event, with `simulated` in its data; whether the webhook subscribes to the type does not matter. A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["simulateWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook of the last 30 days
         * @description Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event of a delivery again
         * @description A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reporting/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report of a campaign by day or hour, and by venue, city, creative or hour of the day
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readCampaignReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reporting/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report of several campaigns in one call
         * @description The totals are the sums of the reports of these campaigns. Without `from` and `to` the range runs from the first day of the earliest to the last day of the latest. What was taken out of a campaign later (`adjustments`, `net`) is in its own report. Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["readCampaignsReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reporting/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scans
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reporting/brand-lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the brand lift of campaigns
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listBrandLift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reporting/brand-lift/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record survey answers about campaigns with brand lift
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
         */
        post: operations["createBrandLiftResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/shared-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links to a campaign's report
         * @description Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listSharedReports"];
        put?: never;
        /**
         * Share a campaign's report by a link
         * @description Whoever has the link reads the report of this campaign without a key, until the link ends; nothing else, and they change nothing. A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
         */
        post: operations["shareReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared-reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a link to a report
         * @description A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
         */
        delete: operations["endSharedReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared-reports/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a shared report
         * @description For the page behind the link. It changes nothing: it is a POST so that the token stands in no address. An address reads at most 120 times a minute. Needs no key.
         */
        post: operations["readSharedReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screens/now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what screens show now, and the ad that each showed last
         * @description Any key of the surface `screen_manager`; every role.
         */
        get: operations["readScreensNow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/screens/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how the slots of a screen were decided
         * @description Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did not get the slot. Any key of the surface `screen_manager`; every role.
         */
        get: operations["listScreenDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which slots a campaign got, and why it lost others
         * @description Slots that it got in the last 30 days; of the last 24 hours also those that it wanted and lost. A page may hold fewer records than asked for and still have a next one. Any key of the surface `ads_manager` or `agency`; every role.
         */
        get: operations["listCampaignDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the campaigns that wait for the operator
         * @description With what each would show, and why campaigns of its category wait for a person. Any key of the surface `operator`; every role.
         */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/reviews/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a campaign go live that is in review
         * @description A read-write key of the surface `operator`; owner, admin or manager.
         */
        post: operations["approveReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/reviews/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a campaign that is in review, live or paused
         * @description What it has not spent goes back to its wallet. Its owner reads the reason. A read-write key of the surface `operator`; owner, admin or manager.
         */
        post: operations["rejectReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/screens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the paired screens of all workspaces
         * @description Any key of the surface `operator`; every role.
         */
        get: operations["listNetworkScreens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where the screens of all workspaces stand
         * @description Any key of the surface `operator`; every role.
         */
        get: operations["readNetworkPlaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/screens/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how the slots of any screen were decided
         * @description Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did not get the slot. Any key of the surface `operator`; every role.
         */
        get: operations["listNetworkDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether the installation keeps what it promises
         * @description What the hourly check of every invariant found, and what somebody has to look at. Any key of the surface `operator`; every role. Keys of the mode `live` alone.
         */
        get: operations["readOperationsStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which events could not be processed
         * @description By where and why they failed. Nothing that was acknowledged is dropped: they wait here. Any key of the surface `operator`; every role. Keys of the mode `live` alone.
         */
        get: operations["readDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/dead-letters/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again that could not be processed
         * @description Once what they failed on is mended. What was counted meanwhile is not counted again; what fails again waits again. A read-write key of the surface `operator`; owner, admin or manager. Keys of the mode `live` alone.
         */
        post: operations["retryDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/stripe/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a signed event of Stripe
         * @description Needs no key.
         */
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a file to its signed address
         * @description Needs no key.
         */
        put: operations["uploadFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the sound of a still to its signed address
         * @description Needs no key.
         */
        put: operations["uploadAudio"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file; immutable, with ranges
         * @description Needs no key.
         */
        get: operations["downloadAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Ask for the size of a file
         * @description Needs no key.
         */
        head: operations["checkAsset"];
        patch?: never;
        trace?: never;
    };
    "/menus/{name}/{template}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The menu of a venue as a page for its screens
         * @description Needs no key.
         */
        get: operations["showMenuPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cards/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The card of a sponsor as a page for screens
         * @description Needs no key.
         */
        get: operations["showSponsorshipCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the link of an ad
         * @description Needs no key.
         */
        get: operations["followScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export from its signed address
         * @description Needs no key.
         */
        get: operations["downloadAuditExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "campaign.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive campaign.created
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCampaignCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive campaign.approved
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCampaignApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive campaign.paused
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCampaignPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive campaign.resumed
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCampaignResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive campaign.finished
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCampaignFinished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive campaign.rejected
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCampaignRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "creative.uploaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive creative.uploaded
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCreativeUploaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "creative.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive creative.ready
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCreativeReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "creative.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive creative.rejected
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveCreativeRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "screen.paired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive screen.paired
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveScreenPaired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "screen.online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive screen.online
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveScreenOnline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "screen.offline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive screen.offline
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveScreenOffline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "screen.unpaired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive screen.unpaired
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveScreenUnpaired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive scan.recorded
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveScanRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.issued
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receivePayoutIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.paid
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receivePayoutPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.failed
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receivePayoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive invoice.issued
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveInvoiceIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive invoice.paid
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveInvoicePaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "audit.entry.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive audit.entry.created
         * @description Sent to subscribed addresses. Answer 2xx within 5 seconds; anything else is tried again for 24 hours under the same event id.
         */
        post: operations["receiveAuditEntryCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Why a request was refused, as RFC 9457 has it. Programs decide by `code`. */
        Problem: {
            /** @description `urn:marquee:problem:` and the code. */
            type: string;
            /** @description What the code means, for people. */
            title: string;
            /** @description HTTP status code. */
            status: number;
            /** @description What to change in this request, for people. */
            detail: string;
            /**
             * @description Code of the refusal. New ones may come; a known one keeps its meaning.
             * @enum {string}
             */
            code: "malformed_json" | "unknown_query_parameter" | "bad_query_parameter" | "repeated_header" | "bad_idempotency_key" | "bad_cursor" | "workspace_required" | "bad_signature" | "missing_key" | "invalid_key" | "expired_key" | "revoked_key" | "wrong_sign_in" | "second_factor_required" | "wrong_code" | "invalid_session" | "session_ended" | "cross_site_request" | "no_workspace" | "read_only_key" | "wrong_surface" | "role_forbidden" | "wrong_mode" | "workspace_in_review" | "workspace_archived" | "demo_only" | "sign_up_closed" | "not_found" | "method_not_allowed" | "body_too_slow" | "state_conflict" | "insufficient_funds" | "earnings_held" | "payout_account_missing" | "payout_account_changed" | "payments_off" | "too_many_keys" | "too_many_members" | "last_owner" | "creative_not_ready" | "sensor_not_paired" | "pairing_code_used" | "idempotency_in_flight" | "pairing_code_expired" | "invitation_ended" | "upload_expired" | "link_expired" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "upload_rejected" | "idempotency_key_reused" | "payment_refused" | "rate_limited" | "internal_error" | "engine_unavailable" | "payment_provider_away";
            /** @description The `X-Request-Id` of this answer, req_... */
            request_id: string;
            /** @description The faults of a body or a query, up to 20. */
            errors?: {
                /** @description JSON pointer (RFC 6901) to the field; empty for the whole body. */
                pointer: string;
                /** @description What is wrong with the field, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            }[];
        };
        VenueFigures: {
            /** @description What plays are decided, charged and earned by. */
            in_force: {
                /** @description OpenOOH venue type, dotted name. */
                type: string;
                /** @description City. */
                city: string;
                /** @description Latitude in degrees. */
                lat: number;
                /** @description Longitude in degrees. */
                lng: number;
                /** @description IANA time zone. */
                timezone: string;
                /** @description Ranges by weekday; null: always open. */
                opening_hours: unknown;
                /** @description People who visit on a day. */
                daily_visitors: number;
                /** @description Minutes that a visitor stays. */
                dwell_minutes: number;
                /** @description People who can have one screen in view at once: no play counts more. */
                audience_max: number;
            };
            /** @description What was asked for and waits for the operator; the figures in force hold until then. */
            pending: {
                /** @description OpenOOH venue type, dotted name. */
                type?: string;
                /** @description City. */
                city?: string;
                /** @description Latitude in degrees. */
                lat?: number;
                /** @description Longitude in degrees. */
                lng?: number;
                /** @description IANA time zone. */
                timezone?: string;
                /** @description Ranges by weekday; null: always open. */
                opening_hours?: unknown;
                /** @description People who visit on a day. */
                daily_visitors?: number;
                /** @description Minutes that a visitor stays. */
                dwell_minutes?: number;
            } | null;
            /** @description The last review of the figures; null: none was needed. */
            review: {
                /**
                 * @description Whether the operator has decided.
                 * @enum {unknown}
                 */
                status: "pending" | "approved" | "rejected";
                /** @description Why the operator was asked. */
                reasons: ("type_dearer" | "place_moved" | "hours_widened" | "audience_raised" | "visitors_above_type" | "dwell_above_type")[];
                /** @description When the figures were asked for. ISO 8601, UTC. */
                requested_at: string;
                /** @description When the operator decided. ISO 8601, UTC. */
                decided_at: string | null;
                /** @description Of a rejected one. */
                rejection: {
                    /**
                     * @description Why the figures were rejected.
                     * @enum {unknown}
                     */
                    code: "implausible" | "unproven" | "wrong_type" | "wrong_place" | "duplicate";
                    /** @description The same as a sentence. */
                    detail: string;
                } | null;
            } | null;
        };
        Venue: {
            /** @description ven_... */
            id: string;
            /** @description Name of the venue. */
            name: string;
            /** @description OpenOOH venue type, dotted name. */
            type: string;
            /** @description City. */
            city: string;
            /** @description Latitude in degrees. */
            lat: number;
            /** @description Longitude in degrees. */
            lng: number;
            /** @description IANA time zone. */
            timezone: string;
            /** @description Ranges by weekday; null: always open. */
            opening_hours: unknown;
            /** @description People who visit on a day. */
            daily_visitors: number;
            /** @description Minutes that a visitor stays. */
            dwell_minutes: number;
            figures: components["schemas"]["VenueFigures"];
            /** @description Slugs of the categories that are never shown here. */
            blocked_categories: string[];
            /** @description What runs on screens that have no playlist of their own; null: ads alone. */
            default_playlist_id: string | null;
            /** @description What brands see of the venue beside its type, city and photo. */
            visibility: {
                /** @description Whether brands see the name; `true` by default. */
                name: boolean;
                /**
                 * @description How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km; `hidden`: not at all, and no search by place finds it.
                 * @enum {unknown}
                 */
                coordinates: "exact" | "city" | "hidden";
            };
            /** @description ast_..., the picture of the place; null: none. */
            photo_asset_id: string | null;
            /** @description Address of the picture; null: none. */
            photo_url: string | null;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
        };
        /** @description What it costs. */
        Money: {
            /** @description Decimal amount in units of the currency. */
            amount: number;
            /** @description Currency code of ISO 4217. */
            currency: string;
        };
        Menu: {
            /** @description Headline of the page; the name of the venue by default. */
            title?: string;
            /** @description ven_... */
            venue_id: string;
            /** @description Language tag of BCP 47, such as de-AT: how prices are written. `en` by default. */
            language?: string;
            /** @description Sections in order; at most 80 items in all. */
            sections: {
                /** @description Headline of the section. */
                name: string;
                /** @description What is on offer, in order. */
                items: {
                    /** @description What is in it. */
                    description?: string;
                    /** @description What it is called. */
                    name: string;
                    price?: components["schemas"]["Money"];
                    /** @description Short marks; what is marked `highlight` comes first on a page of highlights. */
                    tags?: string[];
                }[];
            }[];
            /** @description The menu as a page, by each template. */
            pages: {
                /** @description Name of the template, for an item of a playlist. */
                template: string;
                /** @description Address of the page. It shows this menu and no later one; whoever has it may look. */
                url: string;
            }[];
            /** @description When the menu was last changed. ISO 8601, UTC. */
            updated_at: string;
        };
        Playlist: {
            /** @description pls_... */
            id: string;
            /** @description Name of the playlist. */
            name: string;
            /** @description `active` or `archived`. */
            status: string;
            /** @description What is shown, in order. */
            items: {
                /**
                 * @description Kind of the item.
                 * @enum {unknown}
                 */
                type: "ai_menu" | "image" | "creative" | "sponsorship_card" | "ad_slot";
                /** @description How the menu page looks. */
                template?: string;
                /** @description ast_... */
                asset_id?: string;
                /** @description cre_... */
                creative_id?: string;
                /** @description Who is thanked. */
                sponsor?: string;
                /** @description What else the card says. */
                message?: string;
                /** @description How long it is shown, in milliseconds. */
                duration_ms?: number;
                /** @description Share of the ad time among the ad slots. */
                weight?: number;
            }[];
            /** @description Share of the running time that is ads; null: the screen's own. */
            ad_ratio: number | null;
            /** @description Screens that are bound to it. */
            screens: number;
            /** @description Number of venues of which it is the default. */
            venues: number;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was last changed. ISO 8601, UTC. */
            updated_at: string;
        };
        Screen: {
            /** @description scr_... */
            id: string;
            /** @description ven_... */
            venue_id: string;
            /** @description OpenOOH type of the venue. */
            venue_type: string;
            /** @description What people call the screen. */
            label: string;
            /** @description Platform of the player; null until the device has confirmed. */
            platform: string | null;
            /**
             * @description `online`: seen in the last 60 s; `paired_idle`: the device has not confirmed yet.
             * @enum {unknown}
             */
            status: "online" | "offline" | "paired_idle";
            /** @description When the screen was last connected. ISO 8601, UTC. */
            last_seen_at: string | null;
            /** @description Whether a sensing module is paired. */
            sensor_paired: boolean;
            /** @description The sensing module that is paired; null: none, or one that is only declared, in the sandbox. */
            sensor: {
                /** @description What is printed on the module. */
                serial: string;
                /** @description When it was paired. ISO 8601, UTC. */
                paired_at: string;
                /** @description Slot of the newest settled play whose audience a module attested; the `sensing` commission lasts for seven days from it. ISO 8601, UTC. */
                attested_at: string | null;
            } | null;
            /** @description Share of the running time that may be ads, 0 to 1. */
            ad_ratio: number;
            /** @description Playlist of the screen; null: the venue default. */
            playlist_id: string | null;
            /** @description How the display stands. */
            orientation: string;
            /** @description Opening hours of the venue; null: always open. */
            opening_hours: unknown;
            /** @description Categories never shown on this screen, besides the venue's. */
            blocked_categories: string[];
            /** @description When it was paired. ISO 8601, UTC. */
            created_at: string;
        };
        HealthPeriod: {
            /**
             * @description Whether the screen was connected.
             * @enum {unknown}
             */
            status: "online" | "offline";
            /** @description When the period began. ISO 8601, UTC. */
            from: string;
            /** @description When it ended; null: it lasts. ISO 8601, UTC. */
            to: string | null;
            /** @description How long it lasted, up to now for one that lasts, in seconds. */
            seconds: number;
        };
        SensorChallenge: {
            /** @description To be sent back with the signature; good for one pairing. */
            challenge: string;
            /** @description What the module signs. */
            text: string;
            /** @description Until when it is good. ISO 8601, UTC. */
            expires_at: string;
        };
        Creative: {
            /** @description cre_... */
            id: string;
            /** @description Name of the creative. */
            name: string;
            /** @description The screens that it is made for. */
            orientation: string;
            /** @description `video` or `still`; null for a draft. */
            kind: string | null;
            /** @description Milliseconds. */
            duration_ms: number;
            /** @description Name of the uploaded file; null for a draft. */
            filename: string | null;
            /** @description Content type that the upload must declare and have. */
            content_type: string | null;
            /** @description `awaiting_upload` until the file was checked and rendered, then `ready` or `rejected`. */
            status: string;
            /** @description PUT the file here with its content type, while it is awaited; else null. */
            upload_url: string | null;
            /** @description End of the upload address. ISO 8601, UTC. */
            expires_at: string | null;
            /** @description When the file had come. ISO 8601, UTC. */
            uploaded_at: string | null;
            /** @description The share of the check and the renditions that is done, in percent, while they go on. */
            progress: number | null;
            /** @description Address of the file as it was uploaded, once ready. */
            url: string | null;
            /** @description Address of a small picture of it (JPEG), once ready. */
            poster_url: string | null;
            /** @description Size of the uploaded file in bytes, once checked. */
            bytes: number | null;
            /** @description Why the file was rejected. */
            rejection: {
                /** @description What is wrong, in snake case. */
                code: string;
                /** @description The same for people, with what to change. */
                detail: string;
            } | null;
            /** @description Name of the sound that is played with a still. */
            audio_filename: string | null;
            /** @description Content type that its upload must declare and have. */
            audio_content_type: string | null;
            /** @description PUT the sound here while it is awaited; else null. */
            audio_upload_url: string | null;
            /** @description What the screens play, once ready: the same file for platforms with the same limits. */
            renditions: {
                /** @description The platforms whose screens play this file. */
                platforms: ("android_tv" | "tizen" | "webos" | "fire_tv" | "google_tv" | "windows" | "linux" | "browser")[];
                /** @description Address of the file; it names the content and never changes. */
                url: string;
                /** @description Size of the file in bytes. */
                bytes: number;
            }[];
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
        };
        Asset: {
            /** @description ast_... */
            id: string;
            /** @description Name of the asset. */
            name: string;
            /** @description Name of the uploaded image. */
            filename: string;
            /** @description Content type that the upload must declare and have. */
            content_type: string;
            /** @description `awaiting_upload` until the file was checked and rendered, then `ready` or `rejected`. */
            status: string;
            /** @description PUT the file here with its content type, while it is awaited; else null. */
            upload_url: string | null;
            /** @description End of the upload address. ISO 8601, UTC. */
            expires_at: string | null;
            /** @description When the file had come. ISO 8601, UTC. */
            uploaded_at: string | null;
            /** @description The share of the check and the renditions that is done, in percent, while they go on. */
            progress: number | null;
            /** @description Address of the file as it was uploaded, once ready. */
            url: string | null;
            /** @description Address of a small picture of it (JPEG), once ready. */
            poster_url: string | null;
            /** @description Size of the uploaded file in bytes, once checked. */
            bytes: number | null;
            /** @description Why the file was rejected. */
            rejection: {
                /** @description What is wrong, in snake case. */
                code: string;
                /** @description The same for people, with what to change. */
                detail: string;
            } | null;
            /** @description Address of the image as screens show it, once ready. */
            play_url: string | null;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was archived: it is in no list and nothing new shows it. ISO 8601, UTC; null: it is not. */
            archived_at: string | null;
        };
        ListedCampaign: {
            /** @description cmp_... */
            id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Slug of the category. */
            category: string;
            /**
             * @description State of the campaign. A deleted one can be read, and changes no more.
             * @enum {unknown}
             */
            status: "draft" | "pending_review" | "live" | "paused" | "finished" | "rejected" | "deleted";
            /** @description What may be spent in all. */
            budget: components["schemas"]["Money"];
            /** @description What was charged so far. */
            spent: components["schemas"]["Money"];
            /** @description The first day at 00:00:00, spelled as UTC. Days are local to venues: at each of them this one begins by its own clock (`schedule`). ISO 8601, UTC. */
            starts: string;
            /** @description The last day at 23:59:59, spelled as UTC. Days are local to venues, as for `starts`. ISO 8601, UTC. */
            ends: string;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was deleted. ISO 8601, UTC. */
            deleted_at: string | null;
        };
        /** @description Targets as they were understood. */
        Targets: {
            /** @description Cities; empty: any. */
            cities?: string[];
            /** @description OpenOOH venue types or parents of them; empty: any. */
            venue_types?: string[];
            /** @description Circles; empty: anywhere. */
            areas?: {
                /** @description Latitude in degrees. */
                lat: number;
                /** @description Longitude in degrees. */
                lng: number;
                /** @description Radius in kilometres. */
                radiusKm: number;
            }[];
            /** @description Orientations of screens; absent: any. */
            orientations?: string[];
            /** @description Part of the day, local to the venue; absent: all of it. */
            daypart?: {
                /** @description HH:MM. */
                start: string;
                /** @description HH:MM; before the start: on the next day. */
                end: string;
            };
            /** @description Weekdays, `mon` to `sun`; absent: every day. */
            days?: string[];
        };
        CreatedCampaign: {
            /** @description cmp_... */
            id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Slug of the category. */
            category: string;
            /**
             * @description State of the campaign. A deleted one can be read, and changes no more.
             * @enum {unknown}
             */
            status: "draft" | "pending_review" | "live" | "paused" | "finished" | "rejected" | "deleted";
            /** @description What may be spent in all. */
            budget: components["schemas"]["Money"];
            /** @description What was charged so far. */
            spent: components["schemas"]["Money"];
            /** @description The first day at 00:00:00, spelled as UTC. Days are local to venues: at each of them this one begins by its own clock (`schedule`). ISO 8601, UTC. */
            starts: string;
            /** @description The last day at 23:59:59, spelled as UTC. Days are local to venues, as for `starts`. ISO 8601, UTC. */
            ends: string;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was deleted. ISO 8601, UTC. */
            deleted_at: string | null;
            /** @description Days of the campaign, both included, local to the venue. */
            schedule: {
                /** @description First day. YYYY-MM-DD. */
                starts: string;
                /** @description Last day. YYYY-MM-DD. */
                ends: string;
            };
            targets: components["schemas"]["Targets"];
            /** @description Where a scan leads. */
            landing_url: string | null;
            /** @description Whether brand lift is measured. */
            brand_lift: boolean;
            /** @description Cap per screen. */
            frequency: {
                /** @description Plays per hour. */
                max_per_hour: number;
            } | null;
            /** @description Mean price per impression. */
            rate: {
                /** @description Decimal amount in units of the currency, per impression. */
                amount: number;
                /** @description Currency code of ISO 4217. */
                currency: string;
                /** @description What the amount is for: `impression`. */
                unit: string;
            };
            /** @description What the plan was expected to reach when it was made. */
            forecast: {
                /** @description Impressions, lower end of the estimate. */
                impressions_low: number;
                /** @description Impressions, upper end of the estimate. */
                impressions_high: number;
                /** @description Estimated scans per impression. */
                scan_rate_est: number;
                /** @description Screens that match the targets. */
                screens_eligible: number;
            };
            /** @description For whom the campaign waits; null unless it is in review. */
            review: {
                /**
                 * @description `agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted categories.
                 * @enum {unknown}
                 */
                waiting_for: "agency" | "rules" | "operator";
            } | null;
            /** @description What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end. */
            refund_pending: components["schemas"]["Money"];
            /** @description Why review rejected it. */
            rejection: {
                /** @description Why, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            } | null;
            /** @description Creatives in rotation. */
            creatives: {
                /** @description cre_... */
                id: string;
                /** @description Weight in the rotation. */
                weight: number;
                /** @description State of the creative. */
                status: string;
            }[];
            /** @description What is allowed but may not be meant. */
            warnings: {
                /** @description JSON pointer (RFC 6901) to the field. */
                pointer: string;
                /** @description What may not be meant, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            }[];
        };
        CampaignDetail: {
            /** @description cmp_... */
            id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Slug of the category. */
            category: string;
            /**
             * @description State of the campaign. A deleted one can be read, and changes no more.
             * @enum {unknown}
             */
            status: "draft" | "pending_review" | "live" | "paused" | "finished" | "rejected" | "deleted";
            /** @description What may be spent in all. */
            budget: components["schemas"]["Money"];
            /** @description What was charged so far. */
            spent: components["schemas"]["Money"];
            /** @description The first day at 00:00:00, spelled as UTC. Days are local to venues: at each of them this one begins by its own clock (`schedule`). ISO 8601, UTC. */
            starts: string;
            /** @description The last day at 23:59:59, spelled as UTC. Days are local to venues, as for `starts`. ISO 8601, UTC. */
            ends: string;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was deleted. ISO 8601, UTC. */
            deleted_at: string | null;
            /** @description Days of the campaign, both included, local to the venue. */
            schedule: {
                /** @description First day. YYYY-MM-DD. */
                starts: string;
                /** @description Last day. YYYY-MM-DD. */
                ends: string;
            };
            targets: components["schemas"]["Targets"];
            /** @description Where a scan leads. */
            landing_url: string | null;
            /** @description Whether brand lift is measured. */
            brand_lift: boolean;
            /** @description Cap per screen. */
            frequency: {
                /** @description Plays per hour. */
                max_per_hour: number;
            } | null;
            /** @description Mean price per impression. */
            rate: {
                /** @description Decimal amount in units of the currency, per impression. */
                amount: number;
                /** @description Currency code of ISO 4217. */
                currency: string;
                /** @description What the amount is for: `impression`. */
                unit: string;
            };
            /** @description What the plan was expected to reach when it was made. */
            forecast: {
                /** @description Impressions, lower end of the estimate. */
                impressions_low: number;
                /** @description Impressions, upper end of the estimate. */
                impressions_high: number;
                /** @description Estimated scans per impression. */
                scan_rate_est: number;
                /** @description Screens that match the targets. */
                screens_eligible: number;
            };
            /** @description For whom the campaign waits; null unless it is in review. */
            review: {
                /**
                 * @description `agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted categories.
                 * @enum {unknown}
                 */
                waiting_for: "agency" | "rules" | "operator";
            } | null;
            /** @description What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end. */
            refund_pending: components["schemas"]["Money"];
            /** @description Why review rejected it. */
            rejection: {
                /** @description Why, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            } | null;
            /** @description Creatives with their delivery. */
            creatives: {
                /** @description cre_... */
                id: string;
                /** @description Weight in the rotation. */
                weight: number;
                /** @description State of the creative. */
                status: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions. */
                impressions: number;
            }[];
            /** @description What was delivered so far. */
            counters: {
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Plays that were recorded and not charged: reported too late, or while the screen was showing another one. */
                late_plays: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
                /** @description Screens on which it played. */
                screens_used: number;
            };
            /** @description Spend against an even delivery. */
            pacing: {
                /** @description What an even delivery from the moment at which it went live, or was resumed, would have spent by now. */
                expected_spend: components["schemas"]["Money"];
                /** @description What was spent. */
                actual_spend: components["schemas"]["Money"];
                /** @description Actual over expected; null before anything is expected. */
                ratio: number | null;
                /** @description The hours of today (UTC) that have begun. */
                today: {
                    /** @description YYYY-MM-DDTHH:00, UTC. */
                    hour: string;
                    /** @description What an even delivery spends in this hour. */
                    expected_spend: components["schemas"]["Money"];
                    /** @description What was spent in it. */
                    actual_spend: components["schemas"]["Money"];
                }[];
            };
        };
        Campaign: {
            /** @description cmp_... */
            id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Slug of the category. */
            category: string;
            /**
             * @description State of the campaign. A deleted one can be read, and changes no more.
             * @enum {unknown}
             */
            status: "draft" | "pending_review" | "live" | "paused" | "finished" | "rejected" | "deleted";
            /** @description What may be spent in all. */
            budget: components["schemas"]["Money"];
            /** @description What was charged so far. */
            spent: components["schemas"]["Money"];
            /** @description The first day at 00:00:00, spelled as UTC. Days are local to venues: at each of them this one begins by its own clock (`schedule`). ISO 8601, UTC. */
            starts: string;
            /** @description The last day at 23:59:59, spelled as UTC. Days are local to venues, as for `starts`. ISO 8601, UTC. */
            ends: string;
            /** @description When it was created. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was deleted. ISO 8601, UTC. */
            deleted_at: string | null;
            /** @description Days of the campaign, both included, local to the venue. */
            schedule: {
                /** @description First day. YYYY-MM-DD. */
                starts: string;
                /** @description Last day. YYYY-MM-DD. */
                ends: string;
            };
            targets: components["schemas"]["Targets"];
            /** @description Where a scan leads. */
            landing_url: string | null;
            /** @description Whether brand lift is measured. */
            brand_lift: boolean;
            /** @description Cap per screen. */
            frequency: {
                /** @description Plays per hour. */
                max_per_hour: number;
            } | null;
            /** @description Mean price per impression. */
            rate: {
                /** @description Decimal amount in units of the currency, per impression. */
                amount: number;
                /** @description Currency code of ISO 4217. */
                currency: string;
                /** @description What the amount is for: `impression`. */
                unit: string;
            };
            /** @description What the plan was expected to reach when it was made. */
            forecast: {
                /** @description Impressions, lower end of the estimate. */
                impressions_low: number;
                /** @description Impressions, upper end of the estimate. */
                impressions_high: number;
                /** @description Estimated scans per impression. */
                scan_rate_est: number;
                /** @description Screens that match the targets. */
                screens_eligible: number;
            };
            /** @description For whom the campaign waits; null unless it is in review. */
            review: {
                /**
                 * @description `agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted categories.
                 * @enum {unknown}
                 */
                waiting_for: "agency" | "rules" | "operator";
            } | null;
            /** @description What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end. */
            refund_pending: components["schemas"]["Money"];
            /** @description Why review rejected it. */
            rejection: {
                /** @description Why, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            } | null;
            /** @description Creatives in rotation. */
            creatives: {
                /** @description cre_... */
                id: string;
                /** @description Weight in the rotation. */
                weight: number;
                /** @description State of the creative. */
                status: string;
            }[];
        };
        CampaignResults: {
            /** @description cmp_... */
            campaign_id: string;
            /** @description Days on which something happened, in order. */
            by_day: {
                /** @description YYYY-MM-DD, in `tz`. */
                day: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
            }[];
            /** @description Hours in which something happened, in order; of the last 31 days of the range that have begun. */
            by_hour: {
                /** @description YYYY-MM-DDTHH:00, in `tz`. */
                hour: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
            }[];
            /** @description Screens, by plays; the first 10,000. */
            by_screen: {
                /** @description scr_... */
                screen_id: string;
                /** @description ven_... */
                venue_id: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
            }[];
            /** @description Plays of the range that are not valid, by reason; those of `invalid_traffic` are in the other figures and in `adjustments`, the others in no other figure but `late_plays`. */
            invalid_plays: {
                /** @description Name of the rule that decided as the play was counted, such as `late`; `invalid_traffic` for plays that were charged and taken out by an adjustment. */
                reason: string;
                /** @description Number of plays. */
                plays: number;
            }[];
            /** @description Plays of the range that were charged and taken out later, oldest first. They stay in all other figures; `net` is without them. */
            adjustments: {
                /** @description When they were taken out, and their price was credited to the wallet. ISO 8601, UTC. */
                at: string;
                /**
                 * @description What was found invalid: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.
                 * @enum {unknown}
                 */
                concerns: "plays" | "audience" | "times" | "scans";
                /** @description Number of plays that were taken out. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Price at which they were charged. */
                spend: components["schemas"]["Money"];
            }[];
            /** @description Every play acknowledged before this moment is in the results. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
            as_of: string;
            /** @description Time zone of days and hours. */
            tz: string;
        };
        Category: {
            /** @description Number in IAB Ad Product 2.0. */
            id: string;
            /** @description How answers name it. */
            slug: string;
            /** @description Name for people. */
            name: string;
            /**
             * @description `restricted`: a person reviews the campaign; `prohibited`: it is rejected.
             * @enum {unknown}
             */
            policy: "allowed" | "restricted" | "prohibited";
            /** @description Why it is not simply allowed; null where it is. */
            reason: string | null;
        };
        VenueType: {
            /** @description How targets and venues name it, dotted. */
            name: string;
            /** @description Name of the type that it is one of; null at the top. */
            parent: string | null;
        };
        City: {
            /** @description As most of its venues spell it; targets are compared without case and accents. */
            name: string;
            /** @description Number of venues with a paired screen. */
            venues: number;
            /** @description Number of paired screens. */
            screens: number;
        };
        Forecast: {
            /** @description Mean price per impression, before an agency's discount. */
            rate: components["schemas"]["Money"];
            /** @description Impressions at the lower end of the 90% band. */
            impressions_low: number;
            /** @description Impressions at the upper end of the 90% band. */
            impressions_high: number;
            /** @description Chance that screens can take the whole budget, 0 to 1. */
            fill_probability: number;
            /** @description Estimated scans per impression. */
            scan_rate_est: number;
            /** @description Screens that match now. */
            screens_eligible: number;
            /** @description Daily pacing curve. */
            pacing: {
                /** @description YYYY-MM-DD, local to the venue. */
                date: string;
                /** @description Impressions of the day. */
                impressions_est: number;
            }[];
            /** @description What is allowed but may not be meant. */
            warnings: {
                /** @description JSON pointer (RFC 6901) to the field. */
                pointer: string;
                /** @description What may not be meant, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            }[];
        };
        AreaForecast: {
            /** @description Screens that match now. */
            screens: number;
            /** @description Plays that the budget buys. */
            plays: number;
            /** @description Impressions of them. */
            impressions: number;
            /** @description Impressions at the lower end of the 90% band. */
            impressions_low: number;
            /** @description Impressions at the upper end of the 90% band. */
            impressions_high: number;
            /** @description Chance that screens can take the whole budget, 0 to 1. */
            fill_probability: number;
            /** @description What they cost, at most the budget. */
            cost: components["schemas"]["Money"];
            /** @description What is allowed but may not be meant. */
            warnings: {
                /** @description JSON pointer (RFC 6901) to the field. */
                pointer: string;
                /** @description What may not be meant, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            }[];
        };
        Place: {
            /** @description ven_... */
            venue_id: string;
            /** @description Name of the venue; null where it does not show it. */
            name: string | null;
            /** @description OpenOOH venue type, dotted name. */
            type: string;
            /** @description City. */
            city: string;
            /** @description IANA time zone. */
            timezone: string;
            /** @description Where it stands, as exactly as it shows it; null where it does not. */
            coordinates: {
                /** @description Latitude in degrees. */
                lat: number;
                /** @description Longitude in degrees. */
                lng: number;
                /**
                 * @description `city`: to a tenth of a degree, some 10 km.
                 * @enum {unknown}
                 */
                precision: "exact" | "city";
            } | null;
            /** @description Address of a picture of the place; null: there is none. */
            photo_url: string | null;
            /** @description Different screens there that showed the campaign. */
            screens: number;
            /** @description Counted plays. */
            plays: number;
            /** @description Impressions. */
            impressions: number;
            /** @description Scans. */
            scans: number;
            /** @description Price of the counted plays. */
            spend: components["schemas"]["Money"];
        };
        InventoryPlace: {
            /** @description ven_... */
            venue_id: string;
            /** @description Name of the venue; null where it does not show it. */
            name: string | null;
            /** @description OpenOOH venue type, dotted name. */
            type: string;
            /** @description City. */
            city: string;
            /** @description IANA time zone. */
            timezone: string;
            /** @description Where it stands, as exactly as it shows it; null where it does not. */
            coordinates: {
                /** @description Latitude in degrees. */
                lat: number;
                /** @description Longitude in degrees. */
                lng: number;
                /**
                 * @description `city`: to a tenth of a degree, some 10 km.
                 * @enum {unknown}
                 */
                precision: "exact" | "city";
            } | null;
            /** @description Address of a picture of the place; null: there is none. */
            photo_url: string | null;
            /** @description Ranges by weekday; null: always open. */
            opening_hours: unknown;
            /** @description Paired screens. */
            screens: number;
            /** @description Orientations of the screens: `landscape`, `portrait`. */
            orientations: string[];
            /** @description Slugs of the categories that are never shown here. */
            blocked_categories: string[];
            /** @description Who is there. */
            audience: {
                /** @description People who visit on a day. */
                daily_visitors: number;
                /** @description Minutes that a visitor stays. */
                dwell_minutes: number;
                /** @description People whom a play of 15 s reaches, as a mean while the place is open; it counts as so many impressions. */
                per_play: number;
            };
            /** @description What it costs. */
            price: {
                /** @description A thousand impressions, by the rate card; before an agency's discount. */
                cpm: components["schemas"]["Money"];
                /** @description A play of 15 s: its impressions at that rate. */
                per_play: components["schemas"]["Money"];
            };
            /** @description What is left in these days, as forecasts count. */
            availability: {
                /** @description First day, YYYY-MM-DD. */
                start: string;
                /** @description Last day, YYYY-MM-DD. */
                end: string;
                /** @description Plays of 15 s that are forecast and that nobody has booked. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Part of what is forecast that is left, 0 to 1. */
                share: number;
            };
        };
        /** @description Money that was asked for. */
        TopUp: {
            /** @description top_... */
            id: string;
            /** @description What was asked for. */
            amount: components["schemas"]["Money"];
            /**
             * @description `pending` until the money has come; then `credited`. `cancelled`: it was called off before.
             * @enum {unknown}
             */
            status: "pending" | "credited" | "cancelled";
            /** @description When it was asked for. ISO 8601, UTC. */
            created_at: string;
            /** @description When the money was put on the wallet, ISO 8601 in UTC; null before. */
            credited_at: string | null;
            /** @description When it was called off, ISO 8601 in UTC; null unless it was. */
            cancelled_at: string | null;
        };
        Wallet: {
            /** @description What may still be reserved by campaigns. */
            balance: components["schemas"]["Money"];
            /** @description What campaigns hold and have not spent. */
            reserved: components["schemas"]["Money"];
            /** @description The part of it that shall not be spent any more, of campaigns that were cut, have ended or were deleted: charged, or refunded as plays on their way end. */
            refund_pending: components["schemas"]["Money"];
            /** @description `live`, or `sandbox` for the play money of test keys. */
            book: string;
            /** @description Money that was asked for and has not come yet, oldest first. */
            pending_top_ups: components["schemas"]["TopUp"][];
        };
        /** @description What it changed the balance of the wallet by; 0 for a charge. */
        MoneyChange: {
            /** @description Decimal amount in units of the currency, below 0 where it becomes less. */
            amount: number;
            /** @description Currency code of ISO 4217. */
            currency: string;
        };
        /** @description A movement of money on the ledger, as the owner of the wallet sees it. */
        WalletTransaction: {
            /** @description txn_... */
            id: string;
            /**
             * @description `top_up`: money came. `top_up_refunded`: it went back to where it came from. `reserve`: set aside for a campaign. `refund`: a campaign gave back what it will not spend. `charge`: plays were paid out of what was set aside. `discount`: of an agency, on charges. `credit`: for plays that were taken out. `transfer`: between an agency and its client.
             * @enum {unknown}
             */
            kind: "top_up" | "top_up_refunded" | "reserve" | "refund" | "charge" | "discount" | "credit" | "transfer";
            /** @description When it was booked. ISO 8601, UTC. */
            at: string;
            balance_change: components["schemas"]["MoneyChange"];
            /** @description What it changed the money by that campaigns hold. */
            reserved_change: components["schemas"]["MoneyChange"];
            /** @description Null for a charge, which does not touch the balance. */
            balance_after: components["schemas"]["Money"] | null;
            /** @description The campaign that it is about, the top-up that was paid, or the workspace on the other side of a transfer. Null for money that the operator booked, which may credit several top-ups. */
            refers_to: {
                /** @description `campaign`, `top_up` or `workspace`. */
                type: string;
                /** @description Id of the record. */
                id: string;
            } | null;
        };
        ToppedUpWallet: {
            /** @description What may still be reserved by campaigns. */
            balance: components["schemas"]["Money"];
            /** @description What campaigns hold and have not spent. */
            reserved: components["schemas"]["Money"];
            /** @description The part of it that shall not be spent any more, of campaigns that were cut, have ended or were deleted: charged, or refunded as plays on their way end. */
            refund_pending: components["schemas"]["Money"];
            /** @description `live`, or `sandbox` for the play money of test keys. */
            book: string;
            /** @description Money that was asked for and has not come yet, oldest first. */
            pending_top_ups: components["schemas"]["TopUp"][];
            top_up: components["schemas"]["TopUp"];
        };
        /** @description A page on which a top-up is paid. */
        Checkout: {
            /** @description top_... */
            top_up_id: string;
            /** @description The page of the payment provider on which the top-up is paid. Whoever has it may pay. */
            url: string;
            /** @description When the page ends; ask for another one then. ISO 8601, UTC. */
            expires_at: string;
        };
        /** @description Charges, to the micro-unit as on the ledger. */
        SignedMoney: {
            /** @description Decimal amount in units of the currency, below 0 too. */
            amount: number;
            /** @description Currency code of ISO 4217. */
            currency: string;
        };
        /** @description The charges of a month, or what of earlier charges was credited in it. */
        Invoice: {
            /** @description inv_... */
            id: string;
            /** @description Number of the document; numbers of a year run without gaps, over invoices and credit notes. Those of a sandbox are a series of their own: `TEST-2037-000001`. */
            number: string;
            /**
             * @description `invoice`: the charges of the month. `credit_note`: what was credited to the wallet in the month for plays that were charged and taken out; its amounts are below zero, and nothing is to be paid.
             * @enum {unknown}
             */
            kind: "invoice" | "credit_note";
            /** @description Month of the charges, YYYY-MM, by the time of settlement in UTC; in a sandbox by that of the plays; of a credit note the month of the credits. */
            period: string;
            /**
             * @description `issued`, then `paid`; a credit note is `paid` as it is issued. Test invoices stay `issued`.
             * @enum {unknown}
             */
            status: "issued" | "paid";
            /** @description Whether it holds clients of an agency that are billed through it. */
            consolidated: boolean;
            gross: components["schemas"]["SignedMoney"];
            /** @description Discounts on them, to the micro-unit as on the ledger. */
            discount: components["schemas"]["SignedMoney"];
            /** @description Charges less discounts, to the micro-unit. */
            net: components["schemas"]["SignedMoney"];
            /** @description What the total differs by from `net`, because money is paid in whole minor units. */
            rounding: components["schemas"]["SignedMoney"];
            /** @description The amount to pay, in whole minor units of the currency. */
            total: components["schemas"]["SignedMoney"];
            /** @description When it was issued; in a sandbox by its clock. ISO 8601, UTC. */
            issued_at: string;
            /** @description By when it is to be paid. YYYY-MM-DD. */
            due_on: string;
            /** @description When it was paid, ISO 8601 in UTC; null before. */
            paid_at: string | null;
            /** @description Signed address of the PDF; needs no key. */
            pdf_url: string;
            /** @description End of that address, 24 hours after this answer. ISO 8601, UTC. */
            pdf_expires_at: string;
        };
        /** @description The charges of one campaign, or what of them was credited. */
        InvoiceLine: {
            /** @description Workspace of the campaign, ws_... */
            client_id: string;
            /** @description Its name when the invoice was issued. */
            client_name: string;
            /** @description cmp_... */
            campaign_id: string;
            /** @description Name of the campaign when the invoice was issued. */
            campaign_name: string;
            /** @description Number of plays that were charged. */
            plays: number;
            /** @description Number of their impressions. */
            impressions: number;
            /** @description Charges, to the micro-unit. */
            gross: components["schemas"]["SignedMoney"];
            /** @description Discounts, to the micro-unit. */
            discount: components["schemas"]["SignedMoney"];
            /** @description Charges less discounts, to the micro-unit. */
            net: components["schemas"]["SignedMoney"];
            /** @description Of a credit note: numbers of the invoices of the campaign from the month of the first play on; else empty. */
            corrects: string[];
        };
        InvoiceDetail: {
            /** @description inv_... */
            id: string;
            /** @description Number of the document; numbers of a year run without gaps, over invoices and credit notes. Those of a sandbox are a series of their own: `TEST-2037-000001`. */
            number: string;
            /**
             * @description `invoice`: the charges of the month. `credit_note`: what was credited to the wallet in the month for plays that were charged and taken out; its amounts are below zero, and nothing is to be paid.
             * @enum {unknown}
             */
            kind: "invoice" | "credit_note";
            /** @description Month of the charges, YYYY-MM, by the time of settlement in UTC; in a sandbox by that of the plays; of a credit note the month of the credits. */
            period: string;
            /**
             * @description `issued`, then `paid`; a credit note is `paid` as it is issued. Test invoices stay `issued`.
             * @enum {unknown}
             */
            status: "issued" | "paid";
            /** @description Whether it holds clients of an agency that are billed through it. */
            consolidated: boolean;
            gross: components["schemas"]["SignedMoney"];
            /** @description Discounts on them, to the micro-unit as on the ledger. */
            discount: components["schemas"]["SignedMoney"];
            /** @description Charges less discounts, to the micro-unit. */
            net: components["schemas"]["SignedMoney"];
            /** @description What the total differs by from `net`, because money is paid in whole minor units. */
            rounding: components["schemas"]["SignedMoney"];
            /** @description The amount to pay, in whole minor units of the currency. */
            total: components["schemas"]["SignedMoney"];
            /** @description When it was issued; in a sandbox by its clock. ISO 8601, UTC. */
            issued_at: string;
            /** @description By when it is to be paid. YYYY-MM-DD. */
            due_on: string;
            /** @description When it was paid, ISO 8601 in UTC; null before. */
            paid_at: string | null;
            /** @description Signed address of the PDF; needs no key. */
            pdf_url: string;
            /** @description End of that address, 24 hours after this answer. ISO 8601, UTC. */
            pdf_expires_at: string;
            /** @description One line per campaign. */
            lines: components["schemas"]["InvoiceLine"][];
        };
        /** @description Where payouts go. */
        PayoutAccount: {
            /** @description Name of the holder. */
            holder: string;
            /** @description The IBAN with all but its country and its last four characters starred out. */
            iban_masked: string;
            /** @description Code of the bank, or null. */
            bic: string | null;
            /** @description When it was set. ISO 8601, UTC. */
            set_at: string;
            /** @description From when on earnings can be withdrawn to it: at once for a first account, later for one that took the place of another. ISO 8601, UTC. */
            usable_from: string;
        };
        /** @description What brands were charged for them, before any discount (gross). */
        PayoutMoney: {
            /** @description Decimal amount in units of the currency. */
            value: number;
            /** @description Currency code of ISO 4217. */
            currency: string;
        };
        /** @description What was earned on a day, by a screen, by a venue or of a category, in one currency. */
        EarningsRow: {
            /** @description What the row is about: YYYY-MM-DD, scr_..., ven_... or the name of a category. Null for earnings from before screens and categories were kept. */
            key: string | null;
            /** @description Label of the screen or name of the venue; null for others. */
            name: string | null;
            /** @description Currency of the campaigns and so of the earnings, ISO 4217. */
            currency: string;
            /** @description Number of plays that were settled and not taken out. */
            plays: number;
            /** @description Number of their impressions. */
            impressions: number;
            ad_revenue: components["schemas"]["PayoutMoney"];
            /** @description The share of the venue. It is `available`, `held` and `withdrawn` together. */
            earnings: components["schemas"]["PayoutMoney"];
            /** @description The part that may be withdrawn now. */
            available: components["schemas"]["PayoutMoney"];
            /** @description The part that may not be withdrawn yet. */
            held: components["schemas"]["PayoutMoney"];
            /** @description The part that was withdrawn. Of a day that was withdrawn in part, each screen and category shares it in proportion. */
            withdrawn: components["schemas"]["PayoutMoney"];
            /** @description What went back since, because plays were found invalid. It is in none of the others. */
            reversed: components["schemas"]["PayoutMoney"];
        };
        /** @description What was earned, and what is not settled yet. */
        EarningsList: {
            /** @description The records of this page; newest first, unless `sort` says otherwise. */
            data: components["schemas"]["EarningsRow"][];
            /** @description Whether more records follow. */
            has_more: boolean;
            /** @description Pass it as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
            /** @description How many records all pages hold, where `count=true` asked for it. */
            total?: number;
            /** @description First day. YYYY-MM-DD. */
            from: string;
            /** @description Last day. YYYY-MM-DD. */
            to: string;
            /**
             * @description What a row is about.
             * @enum {unknown}
             */
            group_by: "day" | "screen" | "venue" | "category";
            /** @description Sums of all pages, one per currency. Over all days they are the earnings on the ledger. */
            totals: {
                /** @description Currency of the campaigns and so of the earnings, ISO 4217. */
                currency: string;
                /** @description Number of plays that were settled and not taken out. */
                plays: number;
                /** @description Number of their impressions. */
                impressions: number;
                ad_revenue: components["schemas"]["PayoutMoney"];
                /** @description The share of the venue. It is `available`, `held` and `withdrawn` together. */
                earnings: components["schemas"]["PayoutMoney"];
                /** @description The part that may be withdrawn now. */
                available: components["schemas"]["PayoutMoney"];
                /** @description The part that may not be withdrawn yet. */
                held: components["schemas"]["PayoutMoney"];
                /** @description The part that was withdrawn. Of a day that was withdrawn in part, each screen and category shares it in proportion. */
                withdrawn: components["schemas"]["PayoutMoney"];
                /** @description What went back since, because plays were found invalid. It is in none of the others. */
                reversed: components["schemas"]["PayoutMoney"];
            }[];
            /** @description What was played on these days and is not in the rows yet, one per currency; empty when all is settled. Plays are settled within seconds. */
            not_settled: {
                /** @description Currency of the campaigns, ISO 4217. */
                currency: string;
                /** @description Number of plays that are counted and not settled. */
                plays: number;
                /** @description What brands will be charged for them. */
                ad_revenue: components["schemas"]["PayoutMoney"];
            }[];
            /** @description Every play acknowledged before this moment is in the rows or in `not_settled`. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
            as_of: string;
        };
        /** @description A play at a venue and what it earned. Of its campaign the category is told, as in decisions of a screen. */
        EarnedPlay: {
            /** @description ply_...; names the play to the operator. It is not the id that the screen reports. */
            play_id: string;
            /** @description When its slot began. ISO 8601, UTC. */
            starts_at: string;
            /** @description ven_... */
            venue_id: string;
            /** @description scr_... */
            screen_id: string;
            /** @description Category of the campaign; null for one that is no longer known. */
            category: string | null;
            /**
             * @description `settled`: its share is booked. `not_settled`: it will be. `not_charged`: it was reported too late or found not to count, and earns nothing. `taken_out`: its share went back because it was found invalid.
             * @enum {unknown}
             */
            state: "settled" | "not_settled" | "not_charged" | "taken_out";
            /** @description Impressions of the play, in decimals: they are counted in thousandths. */
            impressions: number;
            /** @description What the brand was charged, before any discount; 0 where it was not charged. */
            price: components["schemas"]["PayoutMoney"];
            /** @description Which commission applied. Null unless it was settled, and where the commission changed to and fro on that day so that it cannot be told for one play. */
            commission_tier: ("sensing" | "full_audience" | "scaled_audience" | "minimum") | null;
            /** @description Share of the ad revenue, a fraction from 0 to 0.5; null as the tier is. */
            commission_rate: number | null;
            /** @description The share of the venue; null as the tier is. */
            earnings: components["schemas"]["PayoutMoney"] | null;
        };
        EarnedPlaysList: {
            /** @description The records of this page; newest first, unless `sort` says otherwise. */
            data: components["schemas"]["EarnedPlay"][];
            /** @description Whether more records follow. */
            has_more: boolean;
            /** @description Pass it as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
            /** @description How many records all pages hold, where `count=true` asked for it. */
            total?: number;
            /** @description Every play acknowledged before this moment is in the list. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
            as_of: string;
        };
        /** @description What was earned and withdrawn in a month, to the millionth as on the ledger. */
        Statement: {
            /** @description Month of the bookings, YYYY-MM, by their time in UTC. */
            month: string;
            /** @description Currency, ISO 4217. Each has a statement of its own. */
            currency: string;
            /** @description Whether nothing more can be booked in the month: it ended an hour ago. */
            is_final: boolean;
            /** @description Earnings that were booked before the month and not withdrawn. */
            opening_balance: components["schemas"]["PayoutMoney"];
            /** @description What was booked as earned in the month. */
            earnings: components["schemas"]["PayoutMoney"];
            /** @description What went back in the month, because plays were found invalid. */
            adjustments: components["schemas"]["PayoutMoney"];
            /** @description What was withdrawn in the month, sending fees included. */
            withdrawals: components["schemas"]["PayoutMoney"];
            /** @description What came back in the month from withdrawals that the bank could not pay. */
            returned: components["schemas"]["PayoutMoney"];
            /** @description `opening_balance` and `earnings` and `returned`, less `adjustments` and `withdrawals`. */
            closing_balance: components["schemas"]["PayoutMoney"];
            /** @description Signed address of the statement as a PDF; needs no key. */
            pdf_url: string;
            /** @description End of that address, 24 hours after this answer. ISO 8601, UTC. */
            pdf_expires_at: string;
        };
        /** @description What a screen earned at a venue. */
        StatementScreen: {
            /** @description scr_...; null for earnings from before screens were kept. */
            screen_id: string | null;
            /** @description Label of the screen. */
            screen_label: string | null;
            /** @description Where it stood, ven_...; null with the screen. */
            venue_id: string | null;
            /** @description Name of the venue. */
            venue_name: string | null;
            /** @description Number of plays; null with the screen. */
            plays: number | null;
            /** @description Number of impressions; null with the screen. */
            impressions: number | null;
            /** @description What brands were charged; null with the screen. */
            ad_revenue: components["schemas"]["PayoutMoney"] | null;
            /** @description What was booked as earned. */
            earnings: components["schemas"]["PayoutMoney"];
        };
        StatementDetail: {
            /** @description Month of the bookings, YYYY-MM, by their time in UTC. */
            month: string;
            /** @description Currency, ISO 4217. Each has a statement of its own. */
            currency: string;
            /** @description Whether nothing more can be booked in the month: it ended an hour ago. */
            is_final: boolean;
            /** @description Earnings that were booked before the month and not withdrawn. */
            opening_balance: components["schemas"]["PayoutMoney"];
            /** @description What was booked as earned in the month. */
            earnings: components["schemas"]["PayoutMoney"];
            /** @description What went back in the month, because plays were found invalid. */
            adjustments: components["schemas"]["PayoutMoney"];
            /** @description What was withdrawn in the month, sending fees included. */
            withdrawals: components["schemas"]["PayoutMoney"];
            /** @description What came back in the month from withdrawals that the bank could not pay. */
            returned: components["schemas"]["PayoutMoney"];
            /** @description `opening_balance` and `earnings` and `returned`, less `adjustments` and `withdrawals`. */
            closing_balance: components["schemas"]["PayoutMoney"];
            /** @description Signed address of the statement as a PDF; needs no key. */
            pdf_url: string;
            /** @description End of that address, 24 hours after this answer. ISO 8601, UTC. */
            pdf_expires_at: string;
            /** @description What `earnings` is made of, by venue and screen. */
            by_screen: components["schemas"]["StatementScreen"][];
            /** @description What `adjustments` is made of, oldest first. */
            adjustment_lines: {
                /** @description When it was booked. ISO 8601, UTC. */
                at: string;
                /** @description Why, fnd_...; see `GET /payouts/holds`. */
                finding_id: string;
                /** @description What went back. */
                reversed: components["schemas"]["PayoutMoney"];
            }[];
            /** @description What `withdrawals` is made of, oldest first. */
            withdrawal_lines: {
                /** @description pay_... */
                payout_id: string;
                /** @description When it was asked for. ISO 8601, UTC. */
                at: string;
                /**
                 * @description How it stands now.
                 * @enum {unknown}
                 */
                status: "issued" | "paid" | "failed";
                /** @description What left the earnings. */
                amount: components["schemas"]["PayoutMoney"];
                /** @description The part of it that sending cost. */
                sending_fee: components["schemas"]["PayoutMoney"];
            }[];
            /** @description What `returned` is made of, oldest first. */
            returned_lines: {
                /** @description pay_... */
                payout_id: string;
                /** @description When it came back. ISO 8601, UTC. */
                at: string;
                /** @description What came back. */
                amount: components["schemas"]["PayoutMoney"];
            }[];
        };
        /** @description A withdrawal of earnings. */
        Payout: {
            /** @description pay_... */
            id: string;
            /** @description Month in which it was issued, YYYY-MM, UTC. */
            period: string;
            /**
             * @description `issued` until the bank has answered; then `paid`, or `failed`: the money is back in the earnings.
             * @enum {unknown}
             */
            status: "issued" | "paid" | "failed";
            /** @description What was withdrawn from the earnings. */
            amount: components["schemas"]["PayoutMoney"];
            /** @description When it was asked for. ISO 8601, UTC. */
            issued_at: string;
            /** @description When the bank paid it, ISO 8601 in UTC; null unless it is paid. */
            paid_at: string | null;
            /** @description When the bank refused it, ISO 8601 in UTC; null unless it failed. */
            failed_at: string | null;
            /** @description Number of venues that earned it. */
            venues_count: number;
            /** @description The venues that earned it, most first; the first 100. */
            venues: {
                /** @description ven_... */
                venue_id: string;
                /** @description What the venue earned of it. */
                earnings: components["schemas"]["PayoutMoney"];
            }[];
            /** @description From the ad revenue to the money at the bank. */
            gross_to_net: {
                /** @description What brands were charged for the plays, before any discount. */
                ad_revenue: components["schemas"]["PayoutMoney"];
                /** @description What the platform keeps of it. */
                platform_share: components["schemas"]["PayoutMoney"];
                /** @description What the venues earned: the amount withdrawn. */
                earnings: components["schemas"]["PayoutMoney"];
                /** @description What sending it costs; free above a limit. */
                sending_fee: components["schemas"]["PayoutMoney"];
                /** @description What arrives at the bank. */
                paid_out: components["schemas"]["PayoutMoney"];
            };
        };
        /** @description What one venue earned under one commission. */
        PayoutLineItem: {
            /** @description ven_... */
            venue_id: string;
            /** @description Name of the venue. */
            venue_name: string;
            /**
             * @description Which commission applied: with a sensing module, or by visitors and dwell without one.
             * @enum {unknown}
             */
            commission_tier: "sensing" | "full_audience" | "scaled_audience" | "minimum";
            /** @description Share of the ad revenue, a fraction from 0 to 0.5. */
            commission_rate: number;
            /** @description First day of the plays, local to the venue. YYYY-MM-DD. */
            first_day: string;
            /** @description Last day of the plays, local to the venue. YYYY-MM-DD. */
            last_day: string;
            /** @description Number of plays. */
            plays: number;
            /** @description Number of impressions. */
            impressions: number;
            /** @description What brands were charged for the plays. */
            ad_revenue: components["schemas"]["PayoutMoney"];
            /** @description What the venue earned of it. */
            earnings: components["schemas"]["PayoutMoney"];
        };
        PayoutDetail: {
            /** @description pay_... */
            id: string;
            /** @description Month in which it was issued, YYYY-MM, UTC. */
            period: string;
            /**
             * @description `issued` until the bank has answered; then `paid`, or `failed`: the money is back in the earnings.
             * @enum {unknown}
             */
            status: "issued" | "paid" | "failed";
            /** @description What was withdrawn from the earnings. */
            amount: components["schemas"]["PayoutMoney"];
            /** @description When it was asked for. ISO 8601, UTC. */
            issued_at: string;
            /** @description When the bank paid it, ISO 8601 in UTC; null unless it is paid. */
            paid_at: string | null;
            /** @description When the bank refused it, ISO 8601 in UTC; null unless it failed. */
            failed_at: string | null;
            /** @description Number of venues that earned it. */
            venues_count: number;
            /** @description The venues that earned it, most first; the first 100. */
            venues: {
                /** @description ven_... */
                venue_id: string;
                /** @description What the venue earned of it. */
                earnings: components["schemas"]["PayoutMoney"];
            }[];
            /** @description From the ad revenue to the money at the bank. */
            gross_to_net: {
                /** @description What brands were charged for the plays, before any discount. */
                ad_revenue: components["schemas"]["PayoutMoney"];
                /** @description What the platform keeps of it. */
                platform_share: components["schemas"]["PayoutMoney"];
                /** @description What the venues earned: the amount withdrawn. */
                earnings: components["schemas"]["PayoutMoney"];
                /** @description What sending it costs; free above a limit. */
                sending_fee: components["schemas"]["PayoutMoney"];
                /** @description What arrives at the bank. */
                paid_out: components["schemas"]["PayoutMoney"];
            };
            /** @description By venue and commission. */
            line_items: components["schemas"]["PayoutLineItem"][];
        };
        /** @description What may be withdrawn. */
        EarningsBalance: {
            /** @description One entry per currency in which something was earned. */
            balances: {
                /** @description Earnings that may be withdrawn. */
                available: components["schemas"]["PayoutMoney"];
                /** @description Earnings that may not be withdrawn yet: their plays were settled a few days ago, or are under review. */
                held: components["schemas"]["PayoutMoney"];
                /** @description The part of `held` that waits for a decision of the operator; see `GET /payouts/holds`. */
                under_review: components["schemas"]["PayoutMoney"];
                /** @description When the next part of what is held can be withdrawn, ISO 8601 in UTC; null where nothing waits for a time. */
                next_release_at: string | null;
                /** @description On its way to the bank, fees excepted. */
                in_transit: components["schemas"]["PayoutMoney"];
            }[];
            /** @description Decimal amount in units of the currency that is withdrawn: withdrawals above it cost nothing. */
            free_above: number;
            /** @description What others cost, decimal amount in units of the currency that is withdrawn. */
            fee: number;
        };
        /** @description Why earnings are held. */
        EarningsHold: {
            /** @description fnd_... */
            id: string;
            /**
             * @description `under_review` until the operator has decided; then `released`, or `upheld`: the plays were found invalid.
             * @enum {unknown}
             */
            status: "under_review" | "released" | "upheld";
            /**
             * @description What looked unusual: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.
             * @enum {unknown}
             */
            concerns: "plays" | "audience" | "times" | "scans";
            /** @description ven_... */
            venue_id: string;
            /** @description scr_..., or null where the whole venue is meant. */
            screen_id: string | null;
            /** @description The plays from this moment on. ISO 8601, UTC. */
            from: string;
            /** @description The plays before this moment. ISO 8601, UTC. */
            to: string;
            /** @description By currency; empty where nothing is held. */
            held: components["schemas"]["PayoutMoney"][];
            /** @description By currency; empty unless it was upheld. */
            reversed: components["schemas"]["PayoutMoney"][];
            /** @description When it was raised. ISO 8601, UTC. */
            raised_at: string;
            /** @description When the operator decided, ISO 8601 in UTC; null before. */
            decided_at: string | null;
        };
        /** @description How documents look. */
        Branding: {
            /** @description Name at the head of documents. */
            display_name?: string;
            /** @description Colour of headings, #rrggbb. */
            accent_color?: string;
            /** @description A line at the foot of documents. */
            footer?: string;
        };
        /** @description To whom invoices are addressed. */
        BillingDetails: {
            /** @description Name of the company that is billed. */
            legal_name: string;
            /** @description Postal address, line by line. */
            address_lines: string[];
            /** @description Tax number of the company. */
            tax_id?: string;
        };
        /** @description A person of the workspace. */
        Seat: {
            /** @description Address of the person. */
            email: string;
            /**
             * @description What the person may do in this workspace.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
        };
        /** @description A client workspace of an agency. */
        Client: {
            /** @description ws_... */
            id: string;
            /** @description Name of the client. */
            name: string;
            /** @description Currency of its wallet and campaigns, ISO 4217. */
            currency: string;
            /** @description Its own wallet. */
            wallet: {
                /** @description What campaigns may still reserve. */
                balance: components["schemas"]["Money"];
            };
            /** @description Charges of this month (UTC; in a sandbox by its clock), before discounts. */
            mtd_spend: components["schemas"]["Money"];
            /** @description Share of the next charge that comes back, a fraction from 0 to 0.3: volume of the month, slot fill, case study. */
            discount_tier: number;
            /** @description `pass-through`: the client is billed; `agency-billed`: its charges are on the agency's invoice. Null for the agency itself. */
            billing_model: ("pass-through" | "agency-billed") | null;
            /** @description Its branding, or that of the agency. */
            branding: components["schemas"]["Branding"] | null;
            /** @description To whom its invoices are addressed; null: to its name. */
            billing_details: components["schemas"]["BillingDetails"] | null;
            /**
             * @description Whether its campaigns wait for the agency before review.
             * @enum {unknown}
             */
            approval: "none" | "agency";
            /** @description Number of years (hours and days aside) that audit entries are kept. */
            audit_retention_years: number;
            /** @description Fields that it has from the agency. */
            inherited: ("branding" | "approval" | "audit_retention_years")[];
            /** @description Whether it lends itself to a case study, which adds to its discount. */
            case_study: boolean;
            /** @description People of the workspace. */
            seats: components["schemas"]["Seat"][];
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was archived: it can be read, and nothing in it changes. ISO 8601, UTC; null: it is not. */
            archived_at: string | null;
        };
        /** @description Money moved between the wallets of an agency and its client. */
        Transfer: {
            /** @description trf_... */
            id: string;
            /** @description ws_... */
            client_id: string;
            /**
             * @description From the agency to the client, or back.
             * @enum {unknown}
             */
            direction: "to_client" | "to_agency";
            /** @description What was moved. */
            amount: components["schemas"]["Money"];
            /** @description On the agency's wallet after it. */
            agency_balance: components["schemas"]["Money"];
            /** @description On the client's wallet after it. */
            client_balance: components["schemas"]["Money"];
            /** @description When it was moved. ISO 8601, UTC. */
            created_at: string;
        };
        /** @description A campaign of a client that waits for the approval of its agency. */
        Approval: {
            /** @description cmp_... */
            campaign_id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Whose campaign it is. */
            client: {
                /** @description ws_... */
                id: string;
                /** @description Name of the client. */
                name: string;
            };
            /** @description Category of the campaign. */
            category: string;
            /** @description What it may spend, set aside on the wallet of the client. */
            budget: components["schemas"]["Money"];
            /** @description When it shall run; days of each venue. */
            schedule: {
                /** @description First day, YYYY-MM-DD. */
                starts: string;
                /** @description Last day, YYYY-MM-DD. */
                ends: string;
            };
            /** @description When the campaign was made. ISO 8601, UTC. */
            created_at: string;
        };
        /** @description What an agency and its clients were charged and given. */
        AgencyReport: {
            /** @description First day of the charges, YYYY-MM-DD. */
            from: string;
            /** @description Last day of the charges, YYYY-MM-DD. */
            to: string;
            /**
             * @description How rows are cut.
             * @enum {unknown}
             */
            group: "client" | "region" | "daypart" | "campaign";
            /** @description Currency of all amounts, ISO 4217. */
            currency: string;
            /** @description Currencies of further charges in this range. */
            other_currencies: string[];
            /** @description Of all rows. */
            totals: {
                /** @description Charges, to the micro-unit as on the ledger. */
                platform_cost: components["schemas"]["Money"];
                /** @description Discounts on them, to the micro-unit as on the ledger. */
                discount: components["schemas"]["Money"];
                /** @description Charges less discounts. */
                net_cost: components["schemas"]["Money"];
            };
            /** @description When grouped by client: the rows with the largest spend first, up to 5,000. */
            by_client?: {
                /** @description ws_... */
                client_id: string;
                /** @description Name of the client. */
                client_name: string;
                /** @description Platform cost, decimal amount in units of the currency. */
                spend: number;
                /** @description Discount on it, decimal amount in units of the currency. */
                discount: number;
                /** @description Platform cost less discount, decimal amount in units of the currency. */
                net_cost: number;
                /** @description Number of plays. */
                plays: number;
                /** @description Number of impressions. */
                impressions: number;
            }[];
            /** @description When grouped by region: the rows with the largest spend first, up to 5,000. */
            by_region?: {
                /** @description City of the venues. */
                region: string;
                /** @description Platform cost, decimal amount in units of the currency. */
                spend: number;
                /** @description Discount on it, decimal amount in units of the currency. */
                discount: number;
                /** @description Platform cost less discount, decimal amount in units of the currency. */
                net_cost: number;
                /** @description Number of plays. */
                plays: number;
                /** @description Number of impressions. */
                impressions: number;
            }[];
            /** @description When grouped by daypart: the rows with the largest spend first, up to 5,000. */
            by_daypart?: {
                /** @description morning, midday, afternoon, evening or night at the venue. */
                daypart: string;
                /** @description Platform cost, decimal amount in units of the currency. */
                spend: number;
                /** @description Discount on it, decimal amount in units of the currency. */
                discount: number;
                /** @description Platform cost less discount, decimal amount in units of the currency. */
                net_cost: number;
                /** @description Number of plays. */
                plays: number;
                /** @description Number of impressions. */
                impressions: number;
            }[];
            /** @description When grouped by campaign: the rows with the largest spend first, up to 5,000. */
            by_campaign?: {
                /** @description cmp_... */
                campaign_id: string;
                /** @description Name of the campaign. */
                campaign_name: string;
                /** @description ws_... */
                client_id: string;
                /** @description Platform cost, decimal amount in units of the currency. */
                spend: number;
                /** @description Discount on it, decimal amount in units of the currency. */
                discount: number;
                /** @description Platform cost less discount, decimal amount in units of the currency. */
                net_cost: number;
                /** @description Number of plays. */
                plays: number;
                /** @description Number of impressions. */
                impressions: number;
            }[];
        };
        Key: {
            /** @description key_... */
            id: string;
            /** @description What people call the key; may be empty. */
            name: string;
            /** @description The first characters of the key and its last four. */
            display: string;
            /** @description What the key reaches: `ads_manager`, `screen_manager`, `agency` or `operator`. */
            surface: string;
            /** @description `read_write` or `read_only`. */
            access: string;
            /** @description `live` or `test`. */
            mode: string;
            /** @description Whose permissions the key acts with. */
            user: {
                /** @description usr_... */
                id: string;
                /** @description Address of the person. */
                email: string;
                /** @description Role that the person has now; the key acts with it. */
                role: string;
            };
            /** @description Who made it for that person, usr_...; null where the person did, or the operator. */
            made_by_id: string | null;
            /** @description How often the key may call. */
            limits: {
                /** @description Calls per minute. */
                per_minute: number;
                /** @description Calls per second. */
                per_second: number;
            };
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it expires, 90 days after it was made; sooner for a key that was rotated. ISO 8601, UTC. */
            expires_at: string;
        };
        CreatedKey: {
            /** @description key_... */
            id: string;
            /** @description What people call the key; may be empty. */
            name: string;
            /** @description The first characters of the key and its last four. */
            display: string;
            /** @description What the key reaches: `ads_manager`, `screen_manager`, `agency` or `operator`. */
            surface: string;
            /** @description `read_write` or `read_only`. */
            access: string;
            /** @description `live` or `test`. */
            mode: string;
            /** @description Whose permissions the key acts with. */
            user: {
                /** @description usr_... */
                id: string;
                /** @description Address of the person. */
                email: string;
                /** @description Role that the person has now; the key acts with it. */
                role: string;
            };
            /** @description Who made it for that person, usr_...; null where the person did, or the operator. */
            made_by_id: string | null;
            /** @description How often the key may call. */
            limits: {
                /** @description Calls per minute. */
                per_minute: number;
                /** @description Calls per second. */
                per_second: number;
            };
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it expires, 90 days after it was made; sooner for a key that was rotated. ISO 8601, UTC. */
            expires_at: string;
            /** @description The key itself. It is shown here only, and not kept. */
            key: string;
        };
        /** @description A workspace: its records, its money and its people. */
        Workspace: {
            /** @description ws_... */
            id: string;
            /** @description Name of the workspace. */
            name: string;
            /**
             * @description Whose it is.
             * @enum {unknown}
             */
            kind: "brand" | "venue" | "agency" | "operator";
            /**
             * @description `in_review` until the operator has approved a workspace that somebody signed up for; then `active`. No key of a `closed` one is good.
             * @enum {unknown}
             */
            status: "in_review" | "active" | "closed";
            /** @description Currency of its wallet, ISO 4217. */
            currency: string;
        };
        /** @description What this key may do with one kind of record. */
        Permission: {
            /**
             * @description What the calls are about.
             * @enum {unknown}
             */
            resource: "campaigns" | "creatives" | "assets" | "forecasts" | "inventory" | "reporting" | "invoices" | "wallet" | "keys" | "me" | "members" | "sessions" | "webhooks" | "audit" | "screens" | "pairing" | "venues" | "menus" | "playlists" | "payouts" | "catalogue" | "sandbox" | "agency" | "reviews" | "network" | "operations";
            /** @description Whether this key may read it. */
            read: boolean;
            /** @description Whether this key may change it. */
            write: boolean;
        };
        /** @description A workspace of the person. */
        OwnWorkspace: {
            /** @description ws_... */
            id: string;
            /** @description Name of the workspace. */
            name: string;
            /**
             * @description Whose it is.
             * @enum {unknown}
             */
            kind: "brand" | "venue" | "agency" | "operator";
            /**
             * @description `in_review` until the operator has approved a workspace that somebody signed up for; then `active`. No key of a `closed` one is good.
             * @enum {unknown}
             */
            status: "in_review" | "active" | "closed";
            /** @description Currency of its wallet, ISO 4217. */
            currency: string;
            /** @description usr_..., of the person there. */
            user_id: string;
            /**
             * @description Role of the person there.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
        };
        /** @description Who calls, and what that key or session may do. */
        Me: {
            /** @description Whom the key belongs to, or who is signed in. */
            person: {
                /** @description per_..., the same in all workspaces of the person. */
                id: string;
                /** @description usr_..., of the person in one workspace; the actor of audit entries. */
                user_id: string;
                /** @description Address of the person. */
                email: string;
                /** @description What the person is called; empty where nobody said. */
                name: string;
            };
            workspace: components["schemas"]["Workspace"];
            /**
             * @description What the person may do here; an agency acts on its clients with the role that the person has at home.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
            /**
             * @description What the key or the session reaches.
             * @enum {unknown}
             */
            surface: "ads_manager" | "screen_manager" | "agency" | "operator";
            /**
             * @description `read_only` may call only GET.
             * @enum {unknown}
             */
            access: "read_write" | "read_only";
            /**
             * @description `test` acts on the sandbox.
             * @enum {unknown}
             */
            mode: "live" | "test";
            /** @description The key that calls; null for a session. */
            key: components["schemas"]["Key"] | null;
            /** @description What surface, access and role allow together; one entry per kind of record. */
            permissions: components["schemas"]["Permission"][];
            /** @description Where the person has a seat: the oldest first, at most 200. Only the one of the key, where somebody else made it for the person. */
            workspaces: components["schemas"]["OwnWorkspace"][];
        };
        /** @description A browser in which the person is signed in. */
        Session: {
            /** @description ses_... */
            id: string;
            /** @description The browser, as it calls itself (`User-Agent`); may be empty. */
            device: string;
            /** @description When the person signed in. ISO 8601, UTC. */
            created_at: string;
            /** @description When it was used last, to the minute. It ends an hour later. ISO 8601, UTC. */
            last_used_at: string;
            /** @description When it ends in any case, 24 hours after it was made. ISO 8601, UTC. */
            ends_at: string;
            /** @description Whether this call was made with it. */
            is_current: boolean;
        };
        /** @description Who signed in, and where they may work. The token is in the cookie. */
        SignedIn: {
            /** @description Who signed in. */
            person: {
                /** @description per_... */
                id: string;
                /** @description Address that signs the person in. */
                email: string;
                /** @description What the person is called; empty where nobody said. */
                name: string;
            };
            session: components["schemas"]["Session"];
            /** @description Where the person works: the oldest first, at most 200. `X-Workspace-Id` names one of them. */
            workspaces: components["schemas"]["OwnWorkspace"][];
        };
        SignInOptions: {
            /** @description Whether an OpenID provider signs people in, at `/console/oidc/start`, beside address and password. */
            oidc: boolean;
        };
        SecondFactor: {
            /** @description Since when sign-ins ask for a code. ISO 8601, UTC. */
            since: string;
            /** @description Number of recovery codes that were not used yet. */
            recovery_codes_left: number;
        };
        /** @description The person who is signed in. */
        Account: {
            /** @description per_..., the same in all workspaces of the person. */
            id: string;
            /** @description Address that signs the person in. */
            email: string;
            /** @description What the person is called; empty where nobody said. */
            name: string;
            /** @description Whether the address signs in with a password. */
            has_password: boolean;
            /** @description The account of an OpenID provider that signs the person in; null: none does. */
            identity: {
                /** @description The provider. */
                issuer: string;
                /** @description The address of the account as it was linked; may be empty. */
                email: string;
                /** @description When it was linked. ISO 8601, UTC. */
                linked_at: string;
            } | null;
            /** @description What sign-ins ask for beside the password; null: nothing. */
            second_factor: components["schemas"]["SecondFactor"] | null;
        };
        BegunSecondFactor: {
            /** @description For an authenticator app, in base32. It is shown here only. */
            secret: string;
            /** @description The same as an `otpauth://` address, for a picture that the app reads. */
            url: string;
        };
        RecoveryCodes: {
            /** @description Each signs in once in place of a code of the app. They are shown here only. */
            recovery_codes: string[];
        };
        BegunLink: {
            /** @description Where the browser goes: to the provider, which leads it back. */
            url: string;
        };
        /** @description A person of a workspace. */
        Member: {
            /** @description usr_..., of this person in this workspace. */
            id: string;
            /** @description Address under which the person was named or invited. */
            email: string;
            /** @description What the person is called; empty where nobody said. */
            name: string;
            /**
             * @description What the person may do in this workspace.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
            /** @description When the person first became a member. ISO 8601, UTC. */
            joined_at: string;
        };
        Invitation: {
            /** @description ivt_... */
            id: string;
            /** @description Address of the person who is invited. */
            email: string;
            /**
             * @description Role that the person will have.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
            /**
             * @description `open` until it is accepted, revoked or has expired.
             * @enum {unknown}
             */
            status: "open" | "accepted" | "revoked" | "expired";
            /** @description Who invited. */
            invited_by: {
                /** @description usr_... */
                id: string;
                /** @description Address of the person. */
                email: string;
            };
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it ends unless it is accepted, 7 days after it was made. ISO 8601, UTC. */
            expires_at: string;
        };
        MadeInvitation: {
            /** @description ivt_... */
            id: string;
            /** @description Address of the person who is invited. */
            email: string;
            /**
             * @description Role that the person will have.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
            /**
             * @description `open` until it is accepted, revoked or has expired.
             * @enum {unknown}
             */
            status: "open" | "accepted" | "revoked" | "expired";
            /** @description Who invited. */
            invited_by: {
                /** @description usr_... */
                id: string;
                /** @description Address of the person. */
                email: string;
            };
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it ends unless it is accepted, 7 days after it was made. ISO 8601, UTC. */
            expires_at: string;
            /** @description Link to the page of the console that accepts it, to be handed over in place of the token. */
            url: string;
            /** @description What the person accepts with, `invite_...`. It is shown here only, and not kept. */
            token: string;
        };
        PreviewedInvitation: {
            /** @description Address of the person who is invited. */
            email: string;
            /**
             * @description Role that the person will have.
             * @enum {unknown}
             */
            role: "owner" | "admin" | "manager" | "finance" | "viewer";
            /** @description When it ends unless it is accepted, 7 days after it was made. ISO 8601, UTC. */
            expires_at: string;
            workspace: components["schemas"]["Workspace"];
            /** @description Whether the address has a password already, which is then the one to accept with. */
            signs_in: boolean;
        };
        AcceptedInvitation: {
            workspace: components["schemas"]["Workspace"];
            member: components["schemas"]["Member"];
            /** @description A key of the member; null where a password was given. */
            key: components["schemas"]["CreatedKey"] | null;
        };
        /** @description A screen without a device, which plays when the clock of its sandbox is moved. */
        SimulatedScreen: {
            /** @description scr_... */
            id: string;
            /** @description ven_..., of the place that was made with it. */
            venue_id: string;
            /** @description OpenOOH venue type, dotted name. */
            venue_type: string;
            /** @description City. */
            city: string;
            /** @description IANA time zone. */
            timezone: string;
            /** @description Name of the screen. */
            label: string;
            /**
             * @description How it stands.
             * @enum {unknown}
             */
            orientation: "landscape" | "portrait";
            /** @description Share of the running time that may be ads, 0 to 1. */
            ad_ratio: number;
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
        };
        /** @description The place in which they stand, made with them. */
        SimulatedVenue: {
            /** @description OpenOOH venue type: dotted name, string value or id. */
            type: string;
            /** @description City, as people write it. */
            city: string;
            /** @description Latitude in degrees. */
            lat: number;
            /** @description Longitude in degrees. */
            lng: number;
            /** @description IANA time zone, such as Europe/Berlin; in any case, and answered by its name. */
            timezone: string;
            /** @description People who visit on a day. */
            daily_visitors: number;
            /** @description Minutes that a visitor stays. */
            dwell_minutes: number;
            /** @description Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open. */
            opening_hours?: unknown;
        };
        AddedScreens: {
            /** @description The screens that were made. */
            data: components["schemas"]["SimulatedScreen"][];
        };
        /** @description The clock of the sandbox. */
        SandboxClock: {
            /** @description What time it is in the sandbox: where its clock was moved to, or now, whatever is later. ISO 8601, UTC. */
            now: string;
            /**
             * @description `advancing` until every play of the time is counted, charged and in the reports.
             * @enum {unknown}
             */
            status: "ready" | "advancing";
            /** @description Where it moves to, ISO 8601, UTC; null while it does not. */
            target: string | null;
            /** @description Plays of the last advance so far. */
            plays: number;
            /** @description Why the last advance ended before its target; null: it did not. Advance again from there. */
            stopped_by: "plays_max" | null;
        };
        AuditEntry: {
            /** @description aud_... */
            id: string;
            /** @description When it happened. ISO 8601, UTC. */
            at: string;
            /** @description Who did it. */
            actor: {
                /** @description `user`, `operator`, `system` or `device`. */
                type: string;
                /** @description usr_... of a person; else the same as the type. */
                id: string;
                /** @description Address of the person at that time; null for others. */
                email: string | null;
            };
            /** @description `<entity>.<verb>`, such as `campaign.paused`. Of calls that changed nothing: `.read`, `.called` or `.refused`; `audit.incomplete` says how many of them are not in the log. */
            action: string;
            /** @description What it was done to. */
            entity: {
                /** @description Kind of the record. */
                type: string;
                /** @description Id of the record; null where a list was called. */
                id: string | null;
            };
            /**
             * @description The way it came: `API` with a key, `CLI` by the operator, `SYSTEM` by itself, `DEVICE` by a screen.
             * @enum {unknown}
             */
            source: "API" | "CLI" | "SYSTEM" | "DEVICE";
            /** @description Address of the caller, if there was one. */
            ip: string | null;
            /** @description Software of the caller, as it names itself. */
            user_agent: string | null;
            /** @description The call itself, of entries whose call changed nothing. */
            call?: {
                /** @description HTTP method. */
                method: string;
                /** @description Path and query, up to 500 characters. */
                path: string;
                /** @description HTTP status of the answer. */
                status: number;
                /** @description Code of the refusal; null for none. */
                code: string | null;
                /** @description X-Request-Id of the answer. */
                request_id: string;
            };
            /** @description What changed, by field; empty for a call that changed nothing. */
            diff: {
                [key: string]: {
                    /** @description Value before; null if there was none. */
                    from: unknown;
                    /** @description Value after; null if there is none. */
                    to: unknown;
                };
            };
        };
        CreatedAuditExport: {
            /** @description exp_...; ask for its state at /v1/audit/export/{job_id}. */
            job_id: string;
        };
        AuditExport: {
            /** @description exp_... */
            job_id: string;
            /**
             * @description `queued` also while it waits to be tried again.
             * @enum {unknown}
             */
            status: "queued" | "running" | "succeeded" | "failed";
            /** @description Entries written so far. */
            rows: number;
            /** @description Link to the CSV, for a `signed_url` that has succeeded; for 24 hours from its end. */
            url?: string;
            /** @description End of the link. ISO 8601, UTC. */
            expires_at?: string;
            /** @description Why it failed, or failed the last time before it is tried again. */
            error?: {
                /** @description Such as `destination_refused`, `destination_unreachable` or `address_forbidden`. */
                code: string;
                /** @description A sentence for people. */
                detail: string;
            };
        };
        Webhook: {
            /** @description whk_... */
            id: string;
            /** @description Address of the receiver. */
            url: string;
            /** @description Event types that are sent. */
            events: string[];
            /**
             * @description `disabled` by a caller, or after 24 attempts in a row that were answered 4xx.
             * @enum {unknown}
             */
            status: "active" | "disabled";
            /** @description When it was disabled; null while it is active. */
            disabled_at: string | null;
            /** @description `requested` by a caller, or `client_errors`; null while it is active. */
            disabled_reason: ("requested" | "client_errors") | null;
            /** @description Attempts in a row that were answered 4xx. */
            client_errors: number;
            /** @description Until when the secret before the last rotation signs as well; null when there is none. */
            previous_secret_expires_at: string | null;
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
        };
        WebhookWithSecret: {
            /** @description whk_... */
            id: string;
            /** @description Address of the receiver. */
            url: string;
            /** @description Event types that are sent. */
            events: string[];
            /**
             * @description `disabled` by a caller, or after 24 attempts in a row that were answered 4xx.
             * @enum {unknown}
             */
            status: "active" | "disabled";
            /** @description When it was disabled; null while it is active. */
            disabled_at: string | null;
            /** @description `requested` by a caller, or `client_errors`; null while it is active. */
            disabled_reason: ("requested" | "client_errors") | null;
            /** @description Attempts in a row that were answered 4xx. */
            client_errors: number;
            /** @description Until when the secret before the last rotation signs as well; null when there is none. */
            previous_secret_expires_at: string | null;
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description whsec_...: the key of the signatures. It is shown here only. */
            secret: string;
        };
        WebhookDelivery: {
            /** @description whd_... */
            id: string;
            /** @description What is delivered. */
            event: {
                /** @description evt_...: the same in every attempt and redelivery. */
                id: string;
                /** @description Type of the event. */
                type: string;
            };
            /**
             * @description `pending` until an attempt is answered 2xx, or the last one has failed.
             * @enum {unknown}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Why it was given up: `attempts_used_up`, `endpoint_disabled` or `endpoint_deleted`. */
            failure: string | null;
            /** @description Every attempt, the first one first; 9 at most. */
            attempts: {
                /** @description When it was sent. ISO 8601, UTC. */
                at: string;
                /** @description HTTP status of the answer; null without one. */
                status: number | null;
                /** @description Why there was no answer, such as `timeout`, `connection_failed` or `address_forbidden`. */
                error: string | null;
                /** @description Time of the exchange in milliseconds. */
                duration_ms: number;
            }[];
            /** @description When it is tried next; null when it is not, or when the first attempt is due now. */
            next_attempt_at: string | null;
            /** @description When it was put in line. ISO 8601, UTC. */
            created_at: string;
        };
        ReportGroup: {
            /** @description By venue: ven_... */
            venue_id?: string;
            /** @description By creative: cre_... */
            creative_id?: string;
            /** @description By campaign: cmp_... */
            campaign_id?: string;
            /** @description By hour: the hour of the day in `tz`, HH:00. */
            hour?: string;
            /** @description Name of the venue, creative or campaign; null where a venue does not show it to brands. */
            name?: string | null;
            /** @description By venue: its OpenOOH type. */
            type?: string | null;
            /** @description By venue and city: the city. */
            city?: string | null;
            /** @description Counted plays. */
            plays: number;
            /** @description Impressions. */
            impressions: number;
            /** @description Scans. */
            scans: number;
            /** @description Price of the counted plays. */
            spend: components["schemas"]["Money"];
        };
        CampaignReport: {
            /** @description cmp_... */
            campaign_id: string;
            /** @description Sums over the range. */
            totals: {
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Scans per impression. */
                scan_rate: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
                /** @description Different screens that showed it. */
                screens: number;
            };
            /** @description Buckets in order; those of the past in which nothing happened are there with zeros. */
            series: {
                /** @description YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`. */
                bucket: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
            }[];
            /**
             * @description What `groups` are, where it was asked for.
             * @enum {unknown}
             */
            group_by?: "venue" | "city" | "creative" | "hour" | "campaign";
            /** @description The figures of the range by `group_by`: those with most plays first, at most 10000; hours in their order. What nothing happened in is left out. Plays, scans and spend add up to the totals; impressions are rounded for each. */
            groups?: components["schemas"]["ReportGroup"][];
            /** @description Plays that were recorded and not charged: reported too late, or while the screen was showing another one; in none of the other figures. */
            late_plays: number;
            /** @description Plays of the range that are not valid, by reason; those of `invalid_traffic` are in the other figures and in `adjustments`, the others in no other figure but `late_plays`. */
            invalid_plays: {
                /** @description Name of the rule that decided as the play was counted, such as `late`; `invalid_traffic` for plays that were charged and taken out by an adjustment. */
                reason: string;
                /** @description Number of plays. */
                plays: number;
            }[];
            /** @description Plays of the range that were charged and taken out later, oldest first. They stay in all other figures; `net` is without them. */
            adjustments: {
                /** @description When they were taken out, and their price was credited to the wallet. ISO 8601, UTC. */
                at: string;
                /**
                 * @description What was found invalid: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.
                 * @enum {unknown}
                 */
                concerns: "plays" | "audience" | "times" | "scans";
                /** @description Number of plays that were taken out. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Price at which they were charged. */
                spend: components["schemas"]["Money"];
            }[];
            /** @description The totals less the adjustments. */
            net: {
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions of them. */
                impressions: number;
                /** @description Price of them. */
                spend: components["schemas"]["Money"];
            };
            /** @description Reports of plays that were refused as they came, by rule. Of a flood, or of a process that was killed, some may be missing. */
            plays_not_counted: {
                /** @description Name of the rule, such as `too_short` or `overlap`; `before_end` may be reported again and then counts. */
                reason: string;
                /** @description Number of reports. A play that was reported twice is twice in it. */
                plays: number;
            }[];
            /** @description Scans that were led on to the landing page and not counted, by rule. Of a flood, or of a process that was killed, some may be missing. */
            scans_not_counted: {
                /** @description Name of the rule, such as `scan_repeat`. */
                reason: string;
                /** @description Number of scans. */
                scans: number;
            }[];
            /** @description Every play acknowledged before this moment is in the report. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
            as_of: string;
            /** @description Whether the figures of this range can no longer change (late_plays, scans, and what is shown beside them: invalid_plays, adjustments, net and what was not counted, excepted). It becomes true when the range is over by a minute, no play of the campaign is out that could still be reported and charged, and each counted play is in the report and charged. */
            is_final: boolean;
            /** @description Time zone of the buckets. */
            tz: string;
        };
        CampaignsReport: {
            /** @description Sums over the range. */
            totals: {
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Scans per impression. */
                scan_rate: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
                /** @description Different screens that showed any of them, each counted once. */
                screens: number;
            };
            /** @description What the totals are the sums of, newest campaign first; the figures of each are the totals of its own report of the same range. */
            campaigns: {
                /** @description cmp_... */
                campaign_id: string;
                /** @description Name of the campaign. */
                name: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
                /** @description Plays of it that were recorded and not charged. */
                late_plays: number;
            }[];
            /** @description Buckets in order; those of the past in which nothing happened are there with zeros. */
            series: {
                /** @description YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`. */
                bucket: string;
                /** @description Counted plays. */
                plays: number;
                /** @description Impressions. */
                impressions: number;
                /** @description Scans. */
                scans: number;
                /** @description Price of the counted plays. */
                spend: components["schemas"]["Money"];
            }[];
            /**
             * @description What `groups` are, where it was asked for.
             * @enum {unknown}
             */
            group_by?: "venue" | "city" | "creative" | "hour" | "campaign";
            /** @description The figures of the range by `group_by`: those with most plays first, at most 10000; hours in their order. What nothing happened in is left out. Plays, scans and spend add up to the totals; impressions are rounded for each. */
            groups?: components["schemas"]["ReportGroup"][];
            /** @description Plays that were recorded and not charged; in none of the other figures. */
            late_plays: number;
            /** @description Every play acknowledged before this moment is in the report. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
            as_of: string;
            /** @description Whether the figures of this range can no longer change, for every campaign. */
            is_final: boolean;
            /** @description Time zone of the buckets. */
            tz: string;
        };
        Scan: {
            /** @description scan_... */
            id: string;
            /** @description When the code was followed. ISO 8601, UTC. */
            at: string;
            /** @description cmp_... */
            campaign_id: string;
            /** @description The creative variant that showed the code, cre_... */
            creative_id: string;
            /** @description scr_... */
            screen_id: string;
            /** @description ven_... */
            venue_id: string;
            /** @description Part of the day at the venue. */
            daypart: string;
            /** @description Minute of the slot in which the code was shown. ISO 8601, UTC. */
            slot_at: string;
        };
        BrandLift: {
            /** @description cmp_... */
            campaign_id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Knowing the brand. */
            awareness: {
                /** @description People who had been exposed. */
                exposed: {
                    /** @description People who answered. */
                    sample: number;
                    /** @description People of the sample with a positive answer. */
                    positive: number;
                    /** @description Share of positive answers; null without answers. */
                    rate: number | null;
                };
                /** @description People who had not. */
                control: {
                    /** @description People who answered. */
                    sample: number;
                    /** @description People of the sample with a positive answer. */
                    positive: number;
                    /** @description Share of positive answers; null without answers. */
                    rate: number | null;
                };
                /** @description Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty. */
                delta: number | null;
                /** @description Interval of the delta: Newcombe's hybrid score interval (1998, method 10). */
                confidence_interval: {
                    /** @description Lower end, as a share. */
                    low: number;
                    /** @description Upper end, as a share. */
                    high: number;
                    /** @description Confidence level, as a share: 0.95. */
                    level: number;
                } | null;
                /** @description Whether the interval leaves out 0. */
                significant: boolean;
            };
            /** @description Remembering the ad. */
            recall: {
                /** @description People who had been exposed. */
                exposed: {
                    /** @description People who answered. */
                    sample: number;
                    /** @description People of the sample with a positive answer. */
                    positive: number;
                    /** @description Share of positive answers; null without answers. */
                    rate: number | null;
                };
                /** @description People who had not. */
                control: {
                    /** @description People who answered. */
                    sample: number;
                    /** @description People of the sample with a positive answer. */
                    positive: number;
                    /** @description Share of positive answers; null without answers. */
                    rate: number | null;
                };
                /** @description Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty. */
                delta: number | null;
                /** @description Interval of the delta: Newcombe's hybrid score interval (1998, method 10). */
                confidence_interval: {
                    /** @description Lower end, as a share. */
                    low: number;
                    /** @description Upper end, as a share. */
                    high: number;
                    /** @description Confidence level, as a share: 0.95. */
                    level: number;
                } | null;
                /** @description Whether the interval leaves out 0. */
                significant: boolean;
            };
            /** @description Meaning to buy. */
            intent: {
                /** @description People who had been exposed. */
                exposed: {
                    /** @description People who answered. */
                    sample: number;
                    /** @description People of the sample with a positive answer. */
                    positive: number;
                    /** @description Share of positive answers; null without answers. */
                    rate: number | null;
                };
                /** @description People who had not. */
                control: {
                    /** @description People who answered. */
                    sample: number;
                    /** @description People of the sample with a positive answer. */
                    positive: number;
                    /** @description Share of positive answers; null without answers. */
                    rate: number | null;
                };
                /** @description Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty. */
                delta: number | null;
                /** @description Interval of the delta: Newcombe's hybrid score interval (1998, method 10). */
                confidence_interval: {
                    /** @description Lower end, as a share. */
                    low: number;
                    /** @description Upper end, as a share. */
                    high: number;
                    /** @description Confidence level, as a share: 0.95. */
                    level: number;
                } | null;
                /** @description Whether the interval leaves out 0. */
                significant: boolean;
            };
        };
        BrandLiftReceipt: {
            /** @description Number of answers that were new. */
            accepted: number;
            /** @description Number of answers to a question that the person had answered before; the first one holds. */
            duplicates: number;
        };
        /** @description A link that shows the report of one campaign without a key. */
        SharedReport: {
            /** @description shr_... */
            id: string;
            /** @description cmp_... */
            campaign_id: string;
            /** @description Who it is for; may be empty. */
            name: string;
            /**
             * @description `open` while the link works; `expired` after its time, `ended` by somebody before.
             * @enum {unknown}
             */
            status: "open" | "expired" | "ended";
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it ends by itself. ISO 8601, UTC. */
            expires_at: string;
        };
        MadeSharedReport: {
            /** @description shr_... */
            id: string;
            /** @description cmp_... */
            campaign_id: string;
            /** @description Who it is for; may be empty. */
            name: string;
            /**
             * @description `open` while the link works; `expired` after its time, `ended` by somebody before.
             * @enum {unknown}
             */
            status: "open" | "expired" | "ended";
            /** @description When it was made. ISO 8601, UTC. */
            created_at: string;
            /** @description When it ends by itself. ISO 8601, UTC. */
            expires_at: string;
            /** @description The page that shows the report. It is shown here only. */
            url: string;
            /** @description What the page sends: `report_...`. It is shown here only. */
            token: string;
        };
        /** @description The report of a campaign by day and city, for whoever has the link. */
        SharedReportShown: {
            /** @description Who shares it. */
            workspace: {
                /** @description Name of the workspace. */
                name: string;
            };
            /** @description What it is about. */
            campaign: {
                /** @description Name of the campaign. */
                name: string;
                /** @description Its first day. YYYY-MM-DD. */
                starts: string;
                /** @description Its last day. YYYY-MM-DD. */
                ends: string;
            };
            report: components["schemas"]["CampaignReport"];
            /** @description When the link ends. ISO 8601, UTC. */
            expires_at: string;
        };
        /** @description What a screen shows, as far as slots were decided for it. */
        ScreenNow: {
            /** @description scr_... */
            screen_id: string;
            /** @description The ad whose time it is; null: none, the screen shows what is its own, or nothing. */
            ad: {
                /** @description When it began. ISO 8601, UTC. */
                starts_at: string;
                /** @description Length of the ad, in milliseconds. */
                duration_ms: number;
                /** @description cmp_... */
                campaign_id: string;
                /** @description cre_... */
                creative_id: string;
                /** @description Category of the campaign. */
                category: string | null;
            } | null;
            /** @description The newest ad of the last 24 hours that the screen was given for a time that has begun. */
            last_ad: {
                /** @description When it began. ISO 8601, UTC. */
                starts_at: string;
                /** @description Length of the ad, in milliseconds. */
                duration_ms: number;
                /** @description cmp_... */
                campaign_id: string;
                /** @description cre_... */
                creative_id: string;
                /** @description Category of the campaign. */
                category: string | null;
            } | null;
        };
        ScreenDecision: {
            /** @description When the slot begins. ISO 8601, UTC. */
            starts_at: string;
            /** @description When it was decided. ISO 8601, UTC. */
            decided_at: string;
            /** @description Length of the slot, in milliseconds. */
            max_duration_ms: number;
            /** @description Whether the screen asked for it ahead, for a time without a connection. */
            offline_plan: boolean;
            /** @description The ad; null without one. */
            winner: {
                /** @description cmp_... */
                campaign_id: string;
                /** @description cre_... */
                creative_id: string;
                /** @description Category of the campaign; null for one that is no longer known. */
                category: string | null;
                /** @description Length of the ad, in milliseconds. */
                duration_ms: number;
            } | null;
            /** @description Why there is no ad; null when there is one. */
            no_fill: ("no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out") | null;
            /**
             * @description `complete`: what happened to the losers is known. `expired`: the slot is older than 24 hours, and only its winner is kept. `not_recorded`: what the decision was made from was not written down, or not yet.
             * @enum {unknown}
             */
            explanation: "complete" | "expired" | "not_recorded";
            /** @description Campaigns that want such a screen, those that came furthest first; at most 100. Empty unless `explanation` is `complete`. */
            losers: {
                /** @description cmp_... */
                campaign_id: string;
                /** @description Category of the campaign. */
                category: string;
                /**
                 * @description Why it did not get the slot; `outranked`: it could play, and another one was further behind.
                 * @enum {unknown}
                 */
                reason: "no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out" | "outranked";
            }[];
            /** @description All campaigns that did not get the slot, also those that want other screens, by reason. */
            losers_by_reason: {
                /**
                 * @description The reason.
                 * @enum {unknown}
                 */
                reason: "no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out" | "outranked";
                /** @description Campaigns that lost for it. */
                campaigns: number;
            }[];
        };
        CampaignDecision: {
            /** @description scr_... */
            screen_id: string;
            /** @description When the slot begins. ISO 8601, UTC. */
            starts_at: string;
            /** @description When it was decided. ISO 8601, UTC. */
            decided_at: string;
            /** @description Length of the slot, in milliseconds. */
            max_duration_ms: number;
            /** @description Whether the screen asked for it ahead, for a time without a connection. */
            offline_plan: boolean;
            /**
             * @description Whether the campaign got the slot. Lost slots are shown of the last 24 hours, on screens that the campaign wants.
             * @enum {unknown}
             */
            outcome: "won" | "lost";
            /** @description What is shown, cre_...; null when the slot was lost. */
            creative_id: string | null;
            /** @description Why it was lost; `outranked`: the campaign could play, and another one was further behind. Null when it was won. */
            reason: ("no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out" | "outranked") | null;
        };
        /** @description A campaign that waits for a decision of the operator. */
        Review: {
            /** @description cmp_... */
            campaign_id: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Whose it is. */
            workspace: {
                /** @description ws_... */
                id: string;
                /** @description Name of the workspace. */
                name: string;
            };
            /** @description Category of the campaign. */
            category: string;
            /** @description Why campaigns of this category wait for a person. */
            category_rule: string;
            /** @description What it may spend. */
            budget: components["schemas"]["Money"];
            /** @description Days of the campaign, both included, local to the venue. */
            schedule: {
                /** @description First day. YYYY-MM-DD. */
                starts: string;
                /** @description Last day. YYYY-MM-DD. */
                ends: string;
            };
            targets: components["schemas"]["Targets"];
            /** @description Where its codes lead; null: nowhere. */
            landing_url: string | null;
            /** @description What would be shown. */
            creatives: {
                /** @description cre_... */
                id: string;
                /** @description Name of the creative. */
                name: string;
                /** @description `video` or `still`; null without a file. */
                kind: string | null;
                /**
                 * @description The screens that it is for.
                 * @enum {unknown}
                 */
                orientation: "landscape" | "portrait";
                /** @description Length, in milliseconds. */
                duration_ms: number;
                /** @description Whether its file was accepted: `ready`. */
                status: string;
                /** @description The file; null unless it is ready. */
                url: string | null;
                /** @description A picture of it; null unless it is ready. */
                poster_url: string | null;
            }[];
            /** @description When the campaign was made. ISO 8601, UTC. */
            created_at: string;
        };
        DecidedReview: {
            /** @description cmp_... */
            campaign_id: string;
            /**
             * @description What the campaign is now.
             * @enum {unknown}
             */
            status: "live" | "rejected";
            /** @description Why review rejected it. */
            rejection: {
                /** @description Why, in snake case. */
                code: string;
                /** @description The same for people. */
                detail: string;
            } | null;
        };
        /** @description A paired screen of any workspace. */
        NetworkScreen: {
            /** @description scr_... */
            id: string;
            /** @description Name of the screen. */
            label: string;
            /**
             * @description Whether it is connected.
             * @enum {unknown}
             */
            status: "online" | "offline" | "paired_idle";
            /** @description When it was connected last; null: never. */
            last_seen_at: string | null;
            /** @description What it runs; null until it has connected. */
            platform: string | null;
            /** @description Whose it is. */
            workspace: {
                /** @description ws_... */
                id: string;
                /** @description Name of the workspace. */
                name: string;
            };
            /** @description Where it stands. */
            venue: {
                /** @description ven_... */
                id: string;
                /** @description Name of the venue. */
                name: string;
                /** @description OpenOOH venue type. */
                type: string;
                /** @description City. */
                city: string;
                /** @description Latitude in degrees. */
                lat: number;
                /** @description Longitude in degrees. */
                lng: number;
                /** @description IANA name of its time zone. */
                timezone: string;
            };
        };
        /** @description Where the screens of all workspaces stand. */
        NetworkPlaces: {
            /** @description The cities with most screens first; at most 1,000. */
            places: {
                /** @description City. */
                city: string;
                /** @description Latitude of the middle of its screens, in degrees. */
                lat: number;
                /** @description Longitude of the middle of its screens, in degrees. */
                lng: number;
                /** @description Number of paired screens. */
                screens: number;
                /** @description Number of screens that are connected. */
                online: number;
            }[];
        };
        /** @description How a slot of any screen was decided. */
        NetworkDecision: {
            /** @description When the slot begins. ISO 8601, UTC. */
            starts_at: string;
            /** @description When it was decided. ISO 8601, UTC. */
            decided_at: string;
            /** @description Length of the slot, in milliseconds. */
            max_duration_ms: number;
            /** @description Whether the screen asked for it ahead, for a time without a connection. */
            offline_plan: boolean;
            /** @description Why there is no ad; null when there is one. */
            no_fill: ("no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out") | null;
            /**
             * @description `complete`: what happened to the losers is known. `expired`: the slot is older than 24 hours, and only its winner is kept. `not_recorded`: what the decision was made from was not written down, or not yet.
             * @enum {unknown}
             */
            explanation: "complete" | "expired" | "not_recorded";
            /** @description All campaigns that did not get the slot, also those that want other screens, by reason. */
            losers_by_reason: {
                /**
                 * @description The reason.
                 * @enum {unknown}
                 */
                reason: "no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out" | "outranked";
                /** @description Campaigns that lost for it. */
                campaigns: number;
            }[];
            /** @description The ad; null without one. */
            winner: {
                /** @description cmp_... */
                campaign_id: string;
                /** @description cre_... */
                creative_id: string;
                /** @description Category of the campaign; null for one that is no longer known. */
                category: string | null;
                /** @description Length of the ad, in milliseconds. */
                duration_ms: number;
                /** @description Name of the campaign; null where it is not known. */
                name: string | null;
                /** @description Whose it is; null where it is not known. */
                workspace: {
                    /** @description ws_... */
                    id: string;
                    /** @description Name of the workspace. */
                    name: string;
                } | null;
            } | null;
            /** @description All campaigns that did not get the slot, those that came furthest first; at most 100. Empty unless `explanation` is `complete`. */
            losers: {
                /** @description cmp_... */
                campaign_id: string;
                /** @description Category of the campaign. */
                category: string;
                /**
                 * @description Why it did not get the slot; `outranked`: it could play, and another one was further behind.
                 * @enum {unknown}
                 */
                reason: "no_campaign" | "screen_closed" | "ad_ratio" | "sandbox" | "targeting" | "venue_blocked" | "outside_schedule" | "outside_daypart" | "paused" | "creative_not_ready" | "format" | "budget_exhausted" | "no_lease" | "frequency" | "separation" | "paced_out" | "outranked";
                /** @description Name of the campaign; null where it is not known. */
                name: string | null;
                /** @description Whose it is; null where it is not known. */
                workspace: {
                    /** @description ws_... */
                    id: string;
                    /** @description Name of the workspace. */
                    name: string;
                } | null;
            }[];
        };
        /** @description Whether the installation keeps what it promises. */
        OperationsStatus: {
            /** @description What somebody has to look at, the gravest first; empty when all is well. */
            alerts: {
                /**
                 * @description `invariants_broken`: the last check found breaches; `plays_behind`: reports are more than 90 seconds behind; `batches_failed`: no worker takes them; `dead_letters`: events that could not be processed wait; `check_overdue`: no check of the last three hours; `invariants_unchecked`: something could not be checked; `webhooks_disabled`: endpoints that were given up after errors.
                 * @enum {unknown}
                 */
                code: "invariants_broken" | "plays_behind" | "batches_failed" | "dead_letters" | "check_overdue" | "invariants_unchecked" | "webhooks_disabled";
                /** @description Number of what it is about; of `plays_behind` the seconds, of `check_overdue` the hours. */
                count: number;
            }[];
            /** @description The newest of the hourly checks of every invariant; null before the first. */
            last_check: {
                /** @description When it began. ISO 8601, UTC. */
                began_at: string;
                /** @description When it ended. ISO 8601, UTC. */
                ended_at: string;
                /** @description Every invariant, in the order of the report. */
                invariants: {
                    /**
                     * @description What was checked.
                     * @enum {unknown}
                     */
                    name: "batches" | "counted_bits" | "rollups" | "charges" | "budgets" | "ledger" | "audit" | "outbox";
                    /** @description Number of breaches that were found. */
                    breaches: number;
                }[];
                /** @description The breaches; at most 100. */
                breaches: {
                    /**
                     * @description What is broken.
                     * @enum {unknown}
                     */
                    invariant: "batches" | "counted_bits" | "rollups" | "charges" | "budgets" | "ledger" | "audit" | "outbox";
                    /** @description cmp_..., where it is about one. */
                    campaign_id: string | null;
                    /** @description ws_..., where it is about one. */
                    workspace_id: string | null;
                    /** @description What was found. */
                    detail: string;
                }[];
                /** @description What could not be checked. */
                unchecked: string[];
            } | null;
            /** @description Every play acknowledged before this moment is in the status. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
            as_of: string;
            /** @description Of all workspaces. */
            screens: {
                /** @description Screens that are connected. */
                online: number;
                /** @description Screens that were connected and are not. */
                offline: number;
            };
            /** @description Number of campaigns that wait for the operator. */
            reviews_waiting: number;
            /** @description Number of events that could not be processed. */
            dead_letters_waiting: number;
            /** @description Number of batches of plays that are on their way to the reports. */
            batches_waiting: number;
        };
        /** @description Events that were acknowledged and could not be processed. */
        DeadLetterGroups: {
            /** @description Number of events that wait, of all groups. */
            waiting: number;
            /** @description The largest first; at most 100. */
            groups: {
                /**
                 * @description What it is; a `batch` could not even be taken apart.
                 * @enum {unknown}
                 */
                kind: "batch" | "play" | "scan" | "release";
                /**
                 * @description Where it failed.
                 * @enum {unknown}
                 */
                step: "decode" | "verify";
                /** @description Why. */
                reason: string;
                /** @description Number of events. */
                count: number;
                /** @description When the first of them came. ISO 8601, UTC. */
                oldest_at: string;
                /** @description When the last of them came. ISO 8601, UTC. */
                newest_at: string;
            }[];
        };
        RetriedLetters: {
            /** @description Number of events that were sent again; at most 1,000 in a call. */
            retried: number;
            /** @description Number of batches that still cannot be read, and stay. */
            unreadable: number;
        };
        PaymentEventReceipt: {
            /** @description That the event was taken, now or before. */
            received: boolean;
        };
    };
    responses: {
        /** @description `bad_query_parameter`: Query parameter with a wrong value. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. */
        "400.public.bad_query_parameter.repeated_header.unknown_query_parameter": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_query_parameter" | "repeated_header" | "unknown_query_parameter";
                };
            };
        };
        /** @description `internal_error`: Internal error. */
        "500.public.internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {string} */
                    code?: "internal_error";
                };
            };
        };
        /** @description `engine_unavailable`: A part of the service is away. */
        "503.public.engine_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "engine_unavailable";
                };
            };
        };
        /** @description `bad_cursor`: The cursor is not one of this list. `bad_query_parameter`: Query parameter with a wrong value. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. `workspace_required`: It is not said which workspace is meant. */
        "400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_cursor" | "bad_query_parameter" | "repeated_header" | "unknown_query_parameter" | "workspace_required";
                };
            };
        };
        /** @description `expired_key`: Expired API key. `invalid_key`: Unknown API key. `invalid_session`: Unknown session. `missing_key`: No API key. `revoked_key`: Revoked API key. `session_ended`: The session has ended. */
        "401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {string} */
                    code?: "expired_key" | "invalid_key" | "invalid_session" | "missing_key" | "revoked_key" | "session_ended";
                };
            };
        };
        /** @description `no_workspace`: The person has no workspace. `role_forbidden`: The role does not allow this. `wrong_surface`: The key is for another surface. */
        "403.keyed.no_workspace.role_forbidden.wrong_surface": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "no_workspace" | "role_forbidden" | "wrong_surface";
                };
            };
        };
        /** @description `not_found`: Not found. */
        "404.keyed.not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {string} */
                    code?: "not_found";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        "429.keyed.rate_limited": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `internal_error`: Internal error. */
        "500.keyed.internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {string} */
                    code?: "internal_error";
                };
            };
        };
        /** @description `engine_unavailable`: A part of the service is away. */
        "503.keyed.engine_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "engine_unavailable";
                };
            };
        };
        /** @description `bad_idempotency_key`: The Idempotency-Key is not one. `bad_query_parameter`: Query parameter with a wrong value. `malformed_json`: The body is not JSON. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. `workspace_required`: It is not said which workspace is meant. */
        "400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_idempotency_key" | "bad_query_parameter" | "malformed_json" | "repeated_header" | "unknown_query_parameter" | "workspace_required";
                };
            };
        };
        /** @description `expired_key`: Expired API key. `invalid_key`: Unknown API key. `invalid_session`: Unknown session. `missing_key`: No API key. `revoked_key`: Revoked API key. `session_ended`: The session has ended. */
        "401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {string} */
                    code?: "expired_key" | "invalid_key" | "invalid_session" | "missing_key" | "revoked_key" | "session_ended";
                };
            };
        };
        /** @description `cross_site_request`: The call may come from another site. `no_workspace`: The person has no workspace. `read_only_key`: The key may only read. `role_forbidden`: The role does not allow this. `workspace_archived`: The workspace is archived. `workspace_in_review`: The workspace waits for the operator. `wrong_surface`: The key is for another surface. */
        "403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "cross_site_request" | "no_workspace" | "read_only_key" | "role_forbidden" | "workspace_archived" | "workspace_in_review" | "wrong_surface";
                };
            };
        };
        /** @description `not_found`: Not found. */
        "404.idempotent.not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {string} */
                    code?: "not_found";
                };
            };
        };
        /** @description `body_too_slow`: The body came too slowly. */
        "408.idempotent.body_too_slow": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 408;
                    /** @enum {string} */
                    code?: "body_too_slow";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. */
        "409.idempotent.idempotency_in_flight": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight";
                };
            };
        };
        /** @description `body_too_large`: The body is too large. */
        "413.idempotent.body_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {string} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type. */
        "415.idempotent.unsupported_media_type": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `idempotency_key_reused`: The idempotency key was used with another body. `validation_failed`: The body breaks a rule. */
        "422.idempotent.idempotency_key_reused.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "validation_failed";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        "429.idempotent.rate_limited": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Retry-After": components["headers"]["Retry-After"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `internal_error`: Internal error. */
        "500.idempotent.internal_error": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {string} */
                    code?: "internal_error";
                };
            };
        };
        /** @description `engine_unavailable`: A part of the service is away. */
        "503.idempotent.engine_unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "engine_unavailable";
                };
            };
        };
        /** @description `bad_query_parameter`: Query parameter with a wrong value. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. `workspace_required`: It is not said which workspace is meant. */
        "400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_query_parameter" | "repeated_header" | "unknown_query_parameter" | "workspace_required";
                };
            };
        };
        /** @description `bad_query_parameter`: Query parameter with a wrong value. `malformed_json`: The body is not JSON. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. `workspace_required`: It is not said which workspace is meant. */
        "400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_query_parameter" | "malformed_json" | "repeated_header" | "unknown_query_parameter" | "workspace_required";
                };
            };
        };
        /** @description `cross_site_request`: The call may come from another site. `no_workspace`: The person has no workspace. `read_only_key`: The key may only read. `role_forbidden`: The role does not allow this. `workspace_archived`: The workspace is archived. `workspace_in_review`: The workspace waits for the operator. `wrong_surface`: The key is for another surface. */
        "403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "cross_site_request" | "no_workspace" | "read_only_key" | "role_forbidden" | "workspace_archived" | "workspace_in_review" | "wrong_surface";
                };
            };
        };
        /** @description `body_too_slow`: The body came too slowly. */
        "408.keyed.body_too_slow": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 408;
                    /** @enum {string} */
                    code?: "body_too_slow";
                };
            };
        };
        /** @description `state_conflict`: The state does not allow this. */
        "409.keyed.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "state_conflict";
                };
            };
        };
        /** @description `body_too_large`: The body is too large. */
        "413.keyed.body_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {string} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type. */
        "415.keyed.unsupported_media_type": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `validation_failed`: The body breaks a rule. */
        "422.keyed.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "validation_failed";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `state_conflict`: The state does not allow this. */
        "409.idempotent.idempotency_in_flight.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "state_conflict";
                };
            };
        };
        /** @description `pairing_code_expired`: The pairing code has expired. */
        "410.keyed.pairing_code_expired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {string} */
                    code?: "pairing_code_expired";
                };
            };
        };
        /** @description `bad_query_parameter`: Query parameter with a wrong value. `malformed_json`: The body is not JSON. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. */
        "400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_query_parameter" | "malformed_json" | "repeated_header" | "unknown_query_parameter";
                };
            };
        };
        /** @description `not_found`: Not found. */
        "404.public.not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {string} */
                    code?: "not_found";
                };
            };
        };
        /** @description `body_too_slow`: The body came too slowly. */
        "408.public.body_too_slow": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 408;
                    /** @enum {string} */
                    code?: "body_too_slow";
                };
            };
        };
        /** @description `pairing_code_used`: The pairing code was used. */
        "409.public.pairing_code_used": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "pairing_code_used";
                };
            };
        };
        /** @description `pairing_code_expired`: The pairing code has expired. */
        "410.public.pairing_code_expired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {string} */
                    code?: "pairing_code_expired";
                };
            };
        };
        /** @description `body_too_large`: The body is too large. */
        "413.public.body_too_large": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {string} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type. */
        "415.public.unsupported_media_type": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `validation_failed`: The body breaks a rule. */
        "422.public.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "validation_failed";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        "429.public.rate_limited": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {string} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `pairing_code_used`: The pairing code was used. */
        "409.idempotent.idempotency_in_flight.pairing_code_used": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "pairing_code_used";
                };
            };
        };
        /** @description `pairing_code_expired`: The pairing code has expired. */
        "410.idempotent.pairing_code_expired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {string} */
                    code?: "pairing_code_expired";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `sensor_not_paired`: No sensing module is paired. */
        "409.idempotent.idempotency_in_flight.sensor_not_paired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "sensor_not_paired";
                };
            };
        };
        /** @description `creative_not_ready`: A creative is not ready. `idempotency_in_flight`: A request with this idempotency key is in flight. `insufficient_funds`: The balance does not cover the amount. */
        "409.idempotent.creative_not_ready.idempotency_in_flight.insufficient_funds": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "creative_not_ready" | "idempotency_in_flight" | "insufficient_funds";
                };
            };
        };
        /** @description `creative_not_ready`: A creative is not ready. `idempotency_in_flight`: A request with this idempotency key is in flight. `insufficient_funds`: The balance does not cover the amount. `state_conflict`: The state does not allow this. */
        "409.idempotent.creative_not_ready.idempotency_in_flight.insufficient_funds.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "creative_not_ready" | "idempotency_in_flight" | "insufficient_funds" | "state_conflict";
                };
            };
        };
        /** @description `payments_off`: No payment provider is set up. `state_conflict`: The state does not allow this. */
        "409.keyed.payments_off.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "payments_off" | "state_conflict";
                };
            };
        };
        /** @description `payment_refused`: The payment provider refused the payment. `validation_failed`: The body breaks a rule. */
        "422.keyed.payment_refused.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "payment_refused" | "validation_failed";
                };
            };
        };
        /** @description `engine_unavailable`: A part of the service is away. `payment_provider_away`: The payment provider is away. */
        "503.keyed.engine_unavailable.payment_provider_away": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "engine_unavailable" | "payment_provider_away";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `payments_off`: No payment provider is set up. `state_conflict`: The state does not allow this. */
        "409.idempotent.idempotency_in_flight.payments_off.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "payments_off" | "state_conflict";
                };
            };
        };
        /** @description `idempotency_key_reused`: The idempotency key was used with another body. `payment_refused`: The payment provider refused the payment. `validation_failed`: The body breaks a rule. */
        "422.idempotent.idempotency_key_reused.payment_refused.validation_failed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "idempotency_key_reused" | "payment_refused" | "validation_failed";
                };
            };
        };
        /** @description `engine_unavailable`: A part of the service is away. `payment_provider_away`: The payment provider is away. */
        "503.idempotent.engine_unavailable.payment_provider_away": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {string} */
                    code?: "engine_unavailable" | "payment_provider_away";
                };
            };
        };
        /** @description `link_expired`: The address has expired. */
        "410.public.link_expired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {string} */
                    code?: "link_expired";
                };
            };
        };
        /** @description `earnings_held`: The earnings are still held. `idempotency_in_flight`: A request with this idempotency key is in flight. `insufficient_funds`: The balance does not cover the amount. `payout_account_changed`: The account to pay to was changed a moment ago. `payout_account_missing`: No account to pay to. `state_conflict`: The state does not allow this. */
        "409.idempotent.earnings_held.idempotency_in_flight.insufficient_funds.payout_account_changed.payout_account_missing.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "earnings_held" | "idempotency_in_flight" | "insufficient_funds" | "payout_account_changed" | "payout_account_missing" | "state_conflict";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `insufficient_funds`: The balance does not cover the amount. */
        "409.idempotent.idempotency_in_flight.insufficient_funds": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "insufficient_funds";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `too_many_keys`: The workspace has as many keys as it may have. */
        "409.idempotent.idempotency_in_flight.too_many_keys": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "too_many_keys";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `state_conflict`: The state does not allow this. `too_many_keys`: The workspace has as many keys as it may have. */
        "409.idempotent.idempotency_in_flight.state_conflict.too_many_keys": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "state_conflict" | "too_many_keys";
                };
            };
        };
        /** @description `no_workspace`: The person has no workspace. `role_forbidden`: The role does not allow this. `wrong_mode`: The key is of the other mode. `wrong_surface`: The key is for another surface. */
        "403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "no_workspace" | "role_forbidden" | "wrong_mode" | "wrong_surface";
                };
            };
        };
        /** @description `second_factor_required`: A code of the second factor is needed. `wrong_code`: The code is not right. `wrong_sign_in`: Address and password do not belong together. */
        "401.public.second_factor_required.wrong_code.wrong_sign_in": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {string} */
                    code?: "second_factor_required" | "wrong_code" | "wrong_sign_in";
                };
            };
        };
        /** @description `cross_site_request`: The call may come from another site. `no_workspace`: The person has no workspace. */
        "403.public.cross_site_request.no_workspace": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "cross_site_request" | "no_workspace";
                };
            };
        };
        /** @description `cross_site_request`: The call may come from another site. `demo_only`: Only the demo does this. `no_workspace`: The person has no workspace. */
        "403.public.cross_site_request.demo_only.no_workspace": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "cross_site_request" | "demo_only" | "no_workspace";
                };
            };
        };
        /** @description `cross_site_request`: The call may come from another site. `no_workspace`: The person has no workspace. `read_only_key`: The key may only read. `role_forbidden`: The role does not allow this. `workspace_archived`: The workspace is archived. `workspace_in_review`: The workspace waits for the operator. `wrong_mode`: The key is of the other mode. `wrong_surface`: The key is for another surface. */
        "403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "cross_site_request" | "no_workspace" | "read_only_key" | "role_forbidden" | "workspace_archived" | "workspace_in_review" | "wrong_mode" | "wrong_surface";
                };
            };
        };
        /** @description `cross_site_request`: The call may come from another site. `no_workspace`: The person has no workspace. `read_only_key`: The key may only read. `role_forbidden`: The role does not allow this. `workspace_archived`: The workspace is archived. `workspace_in_review`: The workspace waits for the operator. `wrong_mode`: The key is of the other mode. `wrong_surface`: The key is for another surface. */
        "403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "cross_site_request" | "no_workspace" | "read_only_key" | "role_forbidden" | "workspace_archived" | "workspace_in_review" | "wrong_mode" | "wrong_surface";
                };
            };
        };
        /** @description `expired_key`: Expired API key. `invalid_key`: Unknown API key. `invalid_session`: Unknown session. `missing_key`: No API key. `revoked_key`: Revoked API key. `session_ended`: The session has ended. `wrong_code`: The code is not right. */
        "401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended.wrong_code": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {string} */
                    code?: "expired_key" | "invalid_key" | "invalid_session" | "missing_key" | "revoked_key" | "session_ended" | "wrong_code";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `last_owner`: The workspace would have no owner. */
        "409.idempotent.idempotency_in_flight.last_owner": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "last_owner";
                };
            };
        };
        /** @description `last_owner`: The workspace would have no owner. */
        "409.keyed.last_owner": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "last_owner";
                };
            };
        };
        /** @description `idempotency_in_flight`: A request with this idempotency key is in flight. `state_conflict`: The state does not allow this. `too_many_members`: The workspace has as many members as it may have. */
        "409.idempotent.idempotency_in_flight.state_conflict.too_many_members": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                Warning: components["headers"]["Warning"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "idempotency_in_flight" | "state_conflict" | "too_many_members";
                };
            };
        };
        /** @description `invitation_ended`: The invitation is no longer open. */
        "410.public.invitation_ended": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {string} */
                    code?: "invitation_ended";
                };
            };
        };
        /** @description `state_conflict`: The state does not allow this. `too_many_keys`: The workspace has as many keys as it may have. `too_many_members`: The workspace has as many members as it may have. */
        "409.public.state_conflict.too_many_keys.too_many_members": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "state_conflict" | "too_many_keys" | "too_many_members";
                };
            };
        };
        /** @description `sign_up_closed`: Sign-up is not open. */
        "403.public.sign_up_closed": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {string} */
                    code?: "sign_up_closed";
                };
            };
        };
        /** @description `bad_query_parameter`: Query parameter with a wrong value. `bad_signature`: The signature is not right. `repeated_header`: A header is there twice. `unknown_query_parameter`: Unknown query parameter. */
        "400.public.bad_query_parameter.bad_signature.repeated_header.unknown_query_parameter": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "bad_query_parameter" | "bad_signature" | "repeated_header" | "unknown_query_parameter";
                };
            };
        };
        /** @description `payments_off`: No payment provider is set up. */
        "409.public.payments_off": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "payments_off";
                };
            };
        };
        /** @description `state_conflict`: The state does not allow this. */
        "409.public.state_conflict": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {string} */
                    code?: "state_conflict";
                };
            };
        };
        /** @description `upload_expired`: The upload address has expired. */
        "410.public.upload_expired": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @enum {string} */
                    code?: "upload_expired";
                };
            };
        };
        /** @description `upload_rejected`: The file is not what was announced. */
        "422.public.upload_rejected": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {string} */
                    code?: "upload_rejected";
                };
            };
        };
        /** @description `repeated_header`: A header is there twice. */
        "400.public.repeated_header": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {string} */
                    code?: "repeated_header";
                };
            };
        };
    };
    parameters: {
        /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
        IdempotencyKey: string;
        /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
        WorkspaceId: string;
        /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
        IfNoneMatch: string;
        /** @description Name and version of the calling software, app/version; only counted. */
        ServiceSdk: string;
    };
    requestBodies: never;
    headers: {
        /** @description Id under which this request stands in the service's log; name it when you ask for help. */
        "X-Request-Id": string;
        /** @description Ceiling of the bucket of this key, in calls per minute. */
        "X-RateLimit-Limit": number;
        /** @description Calls left in the current minute, as this process knew a second ago at most. */
        "X-RateLimit-Remaining": number;
        /** @description What the keys of the workspace that have this key's limit may call together per minute: five times as often as one. */
        "X-RateLimit-Workspace-Limit": number;
        /** @description Calls of those keys together that are left in the current minute. */
        "X-RateLimit-Workspace-Remaining": number;
        /** @description Seconds until the bucket refills. */
        "X-RateLimit-Reset": number;
        /** @description When the key of this call ends; sent in its last seven days. ISO 8601, UTC. */
        "X-Key-Expires-At": string;
        /** @description Names this content; send it as `If-None-Match` to be told whether it has changed. */
        ETag: string;
        /** @description The same for people (RFC 9111, code 299); sent in the last seven days of a key. */
        Warning: string;
        /** @description How to authenticate: `Bearer`, with `error="invalid_token"` where a key was sent (RFC 6750). Sent with 401. */
        "WWW-Authenticate": string;
        /** @description Seconds to wait. Sent with 429 only. */
        "Retry-After": number;
        /** @description `true` when this is the stored answer of an earlier request with the same key; else absent. */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    listVenues: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "city" | "-city";
                /** @description Only venues of this OpenOOH type, or of those below it. Several comma-separated. */
                type?: string;
                /** @description Only venues in this city, compared without case and accents. Several comma-separated. */
                city?: string;
                /** @description Only venues whose name holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Venue"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createVenue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the venue. */
                    name: string;
                    /** @description OpenOOH venue type: dotted name, string value or id. */
                    type: string;
                    /** @description City, as people write it. */
                    city: string;
                    /** @description Latitude in degrees. */
                    lat: number;
                    /** @description Longitude in degrees. */
                    lng: number;
                    /** @description IANA time zone, such as Europe/Berlin; in any case, and answered by its name. */
                    timezone: string;
                    /** @description Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open. */
                    opening_hours?: unknown;
                    /** @description People who visit on a day. */
                    daily_visitors: number;
                    /** @description Minutes that a visitor stays. */
                    dwell_minutes: number;
                    /** @description Categories of ads that are never shown here. */
                    blocked_categories?: string[];
                    /** @description What runs on screens that have no playlist of their own; null: ads alone. */
                    default_playlist_id?: string | null;
                    /** @description What brands see of the venue beside its type, city and photo. A field that is left out stays as it is. */
                    visibility?: {
                        /** @description Whether brands see the name; `true` by default. */
                        name?: boolean;
                        /**
                         * @description How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km; `hidden`: not at all, and no search by place finds it.
                         * @enum {unknown}
                         */
                        coordinates?: "exact" | "city" | "hidden";
                    };
                    /** @description A picture of the place that brands see; null: none. */
                    photo_asset_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Venue"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readVenue: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Venue"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteVenue: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeVenue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the venue. */
                    name?: string;
                    /** @description OpenOOH venue type: dotted name, string value or id. */
                    type?: string;
                    /** @description City, as people write it. */
                    city?: string;
                    /** @description Latitude in degrees. */
                    lat?: number;
                    /** @description Longitude in degrees. */
                    lng?: number;
                    /** @description IANA time zone, such as Europe/Berlin; in any case, and answered by its name. */
                    timezone?: string;
                    /** @description Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open. */
                    opening_hours?: unknown;
                    /** @description People who visit on a day. */
                    daily_visitors?: number;
                    /** @description Minutes that a visitor stays. */
                    dwell_minutes?: number;
                    /** @description Categories of ads that are never shown here. */
                    blocked_categories?: string[];
                    /** @description What runs on screens that have no playlist of their own; null: ads alone. */
                    default_playlist_id?: string | null;
                    /** @description What brands see of the venue beside its type, city and photo. A field that is left out stays as it is. */
                    visibility?: {
                        /** @description Whether brands see the name; `true` by default. */
                        name?: boolean;
                        /**
                         * @description How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km; `hidden`: not at all, and no search by place finds it.
                         * @enum {unknown}
                         */
                        coordinates?: "exact" | "city" | "hidden";
                    };
                    /** @description A picture of the place that brands see; null: none. */
                    photo_asset_id?: string | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Venue"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readVenueMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Menu"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    replaceVenueMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Headline of the page; the name of the venue by default. */
                    title?: string;
                    /** @description Language tag of BCP 47, such as de-AT: how prices are written. `en` by default. */
                    language?: string;
                    /** @description Sections in order; at most 80 items in all. */
                    sections: {
                        /** @description Headline of the section. */
                        name: string;
                        /** @description What is on offer, in order. */
                        items: {
                            /** @description What is in it. */
                            description?: string;
                            /** @description What it is called. */
                            name: string;
                            price?: components["schemas"]["Money"];
                            /** @description Short marks; what is marked `highlight` comes first on a page of highlights. */
                            tags?: string[];
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Menu"];
                };
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listPlaylists: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at";
                /** @description Only playlists that run in this venue: its default, and those of its screens. Several comma-separated. */
                venue?: string;
                /** @description Only playlists of this status; `active` by default. Several comma-separated: active, archived. */
                status?: string;
                /** @description Only playlists whose name holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Playlist"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createPlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the playlist. */
                    name: string;
                    /** @description What is shown, in order, again and again. */
                    items: {
                        /**
                         * @description `ai_menu`: a page drawn from the venue's menu; `image`: an asset; `creative`: a creative of this workspace; `sponsorship_card`: a page that thanks a sponsor; `ad_slot`: a place for ads.
                         * @enum {unknown}
                         */
                        type: "ai_menu" | "image" | "creative" | "sponsorship_card" | "ad_slot";
                        /** @description How the menu page looks. Of `ai_menu`. */
                        template?: string;
                        /** @description ast_..., a ready asset. Of `image`. */
                        asset_id?: string;
                        /** @description cre_..., a ready creative. Of `creative`. */
                        creative_id?: string;
                        /** @description Who is thanked. Of `sponsorship_card`. */
                        sponsor?: string;
                        /** @description What else the card says. Of `sponsorship_card`. */
                        message?: string;
                        /** @description How long it is shown, in milliseconds. Of all but `ad_slot`; a creative lasts its own time unless this says otherwise. */
                        duration_ms?: number;
                        /** @description Share of the ad time among the ad slots; 1 by default. Of `ad_slot`. */
                        weight?: number;
                    }[];
                    /** @description Share of the running time that is ads, 0 to 1, in place of the screen's own; null: the screen's own. */
                    ad_ratio?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readPlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deletePlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changePlaylist: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the playlist. */
                    name?: string;
                    /** @description What is shown, in order, again and again. */
                    items?: {
                        /**
                         * @description `ai_menu`: a page drawn from the venue's menu; `image`: an asset; `creative`: a creative of this workspace; `sponsorship_card`: a page that thanks a sponsor; `ad_slot`: a place for ads.
                         * @enum {unknown}
                         */
                        type: "ai_menu" | "image" | "creative" | "sponsorship_card" | "ad_slot";
                        /** @description How the menu page looks. Of `ai_menu`. */
                        template?: string;
                        /** @description ast_..., a ready asset. Of `image`. */
                        asset_id?: string;
                        /** @description cre_..., a ready creative. Of `creative`. */
                        creative_id?: string;
                        /** @description Who is thanked. Of `sponsorship_card`. */
                        sponsor?: string;
                        /** @description What else the card says. Of `sponsorship_card`. */
                        message?: string;
                        /** @description How long it is shown, in milliseconds. Of all but `ad_slot`; a creative lasts its own time unless this says otherwise. */
                        duration_ms?: number;
                        /** @description Share of the ad time among the ad slots; 1 by default. Of `ad_slot`. */
                        weight?: number;
                    }[];
                    /** @description Share of the running time that is ads, 0 to 1, in place of the screen's own; null: the screen's own. */
                    ad_ratio?: number | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playlist"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    createPairing: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Venue that the screen will stand in. */
                    venue_id: string;
                    /** @description A screen of that venue whose device never confirmed: the code attaches a device to it. */
                    screen_id?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Six digits, unique while they are valid. */
                        code: string;
                        /** @description End of the 60 seconds in which the code is valid. ISO 8601, UTC. */
                        expires_at: string;
                        /** @description Page on which a person claims the screen. */
                        claim_url: string;
                    };
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readPairing: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description The six digits. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The six digits. */
                        code: string;
                        /** @description End of the 60 seconds in which the code is valid. ISO 8601, UTC. */
                        expires_at: string;
                        /** @description Page on which a person claims the screen. */
                        claim_url: string;
                        /** @description Whether one of the two halves was used. */
                        claimed: boolean;
                        /** @description The screen, once claimed. */
                        screen_id: string | null;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            410: components["responses"]["410.keyed.pairing_code_expired"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    confirmPairing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The six digits. */
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Platform of the player.
                     * @enum {unknown}
                     */
                    platform: "android_tv" | "tizen" | "webos" | "fire_tv" | "google_tv" | "windows" | "linux" | "browser";
                    /** @description Version of the player. */
                    player: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The screen that the device now is. */
                        screen_id: string;
                        /** @description Token for the `hello` of the screen protocol; shown once. */
                        device_token: string;
                        /** @description Address of the screen protocol. */
                        socket_url: string;
                    };
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            409: components["responses"]["409.public.pairing_code_used"];
            410: components["responses"]["410.public.pairing_code_expired"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    listScreens: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "label" | "-label" | "status" | "-status";
                /** @description Only screens of this venue. Several comma-separated. */
                venue?: string;
                /** @description The same as `venue`. Several comma-separated. */
                venue_id?: string;
                /** @description Only screens of this status. Several comma-separated: online, offline, paired_idle. */
                status?: string;
                /** @description Only screens of this platform. Several comma-separated: android_tv, tizen, webos, fire_tv, google_tv, windows, linux, browser. */
                platform?: string;
                /** @description Only screens whose label holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
                /** @description Latitude of the middle of an area, in degrees; with `lng` and `radius_km`. */
                lat?: string;
                /** @description Longitude of the middle of an area, in degrees. */
                lng?: string;
                /** @description Radius of the area in kilometres. */
                radius_km?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Screen"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createScreen: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Venue in which the screen stands. */
                    venue_id: string;
                    /** @description What people call the screen. */
                    label: string;
                    /** @description The six digits that the screen shows. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screen"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.pairing_code_used"];
            410: components["responses"]["410.idempotent.pairing_code_expired"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readScreen: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screen"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteScreen: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeScreen: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people call the screen. */
                    label?: string;
                    /** @description Venue in which the screen stands. */
                    venue_id?: string;
                    /** @description Share of the running time that may be ads, 0 to 1. */
                    ad_ratio?: number;
                    /** @description Playlist of the screen; null: the default of its venue. */
                    playlist_id?: string | null;
                    /**
                     * @description How the display stands.
                     * @enum {unknown}
                     */
                    orientation?: "landscape" | "portrait";
                    /** @description false takes the sensing module from the screen; true is taken where one is paired, and in the sandbox. */
                    sensor_paired?: boolean;
                    /** @description Categories never shown on this screen, besides the venue's. */
                    blocked_categories?: string[];
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screen"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.sensor_not_paired"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listScreenHealth: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-from` by default. */
                sort?: "from" | "-from";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["HealthPeriod"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    challengeSensor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is printed on the module. */
                    serial: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SensorChallenge"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    pairSensor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is printed on the module. */
                    serial: string;
                    /** @description The challenge that the module signed, 32 bytes in base64url. */
                    challenge: string;
                    /** @description The module's Ed25519 signature over the `text` of the challenge, 64 bytes in base64url. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Screen"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    unpairSensor: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listCreatives: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "name" | "-name";
                /** @description Only creatives of this status. Several comma-separated: draft, awaiting_upload, ready, rejected. */
                status?: string;
                /** @description Only creatives of this orientation. Several comma-separated: landscape, portrait. */
                orientation?: string;
                /** @description Only creatives whose name holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Creative"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the creative. */
                    name: string;
                    /**
                     * @description The screens that it is made for. The picture must stand like this; a square one fits both.
                     * @enum {unknown}
                     */
                    orientation: "landscape" | "portrait";
                    /** @description Milliseconds: a video 6000 to 20000, a still 6000 to 15000. The file may differ by 250 ms. */
                    duration_ms: number;
                    /** @description Name of the file that will be uploaded; its extension (mp4, webm, mov, jpg, jpeg, png, webp) says what it is. Without it the creative is a draft. */
                    filename?: string;
                    /** @description Name of a sound that is played with a still: mp3, m4a or wav. It is cut to the duration. */
                    audio_filename?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Creative"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Creative"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeCreative: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        /** @description The name may change at any time, the rest until a file has come. A `filename` gives a new upload address. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the creative. */
                    name?: string;
                    /**
                     * @description The screens that it is made for. Until a file has come.
                     * @enum {unknown}
                     */
                    orientation?: "landscape" | "portrait";
                    /** @description Milliseconds: a video 6000 to 20000, a still 6000 to 15000. The file may differ by 250 ms. */
                    duration_ms?: number;
                    /** @description Name of the file that will be uploaded; its extension (mp4, webm, mov, jpg, jpeg, png, webp) says what it is. Without it the creative is a draft. */
                    filename?: string;
                    /** @description Name of a sound that is played with a still: mp3, m4a or wav. It is cut to the duration. */
                    audio_filename?: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Creative"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "name" | "-name";
                /** @description Only assets of this status; without it, all but those that are archived. Several comma-separated: awaiting_upload, ready, rejected, archived. */
                status?: string;
                /** @description Only assets whose name holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Asset"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the asset. */
                    name: string;
                    /** @description Name of the image that will be uploaded; its extension (jpg, jpeg, png, webp) says what it is. */
                    filename: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    restoreAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "starts" | "-starts" | "ends" | "-ends" | "budget" | "-budget";
                /** @description Only campaigns of this status; without it, all but those that were deleted. Several comma-separated: draft, pending_review, live, paused, finished, rejected, deleted. */
                status?: string;
                /** @description Only campaigns of this category, by id or slug, or of several, comma-separated. */
                category?: string;
                /** @description Only campaigns whose name holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
                /** @description Only campaigns that run on this day or later. YYYY-MM-DD. */
                from?: string;
                /** @description Only campaigns that run on this day or before. YYYY-MM-DD. */
                to?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["ListedCampaign"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the campaign. */
                    name: string;
                    /** @description Tier-1 category of IAB Ad Product 2.0, by id or slug. */
                    category: string;
                    /** @description What may be spent in all. */
                    budget: components["schemas"]["Money"];
                    /** @description Where and when; all times are local to the venue. */
                    targets?: {
                        /** @description Cities, without regard to case and accents; empty: any. */
                        cities?: string[];
                        /** @description OpenOOH venue types or parents of them; empty: any. */
                        venue_types?: string[];
                        /** @description Circles; empty: anywhere. */
                        areas?: {
                            /** @description Latitude in degrees. */
                            lat: number;
                            /** @description Longitude in degrees. */
                            lng: number;
                            /** @description Radius in kilometres. */
                            radiusKm: number;
                        }[];
                        /** @description Orientations of screens; empty: any. */
                        orientations?: ("landscape" | "portrait")[];
                        /** @description Part of the day; absent: all of it. */
                        daypart?: {
                            /** @description Start. HH:MM, 24-hour, local to the venue. */
                            start: string;
                            /** @description End; before the start: on the next day. HH:MM, 24-hour, local to the venue. */
                            end: string;
                        };
                        /** @description Weekdays; empty: every day. */
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @description Creatives in rotation, with equal weights. */
                    creatives: string[];
                    /** @description Days of the campaign, both included, local to the venue. */
                    schedule: {
                        /** @description First day. YYYY-MM-DD. */
                        starts: string;
                        /** @description Last day. YYYY-MM-DD. */
                        ends: string;
                    };
                    /** @description Where a scan leads; https. */
                    landing_url?: string;
                    /** @description Whether brand lift is measured. */
                    brand_lift?: boolean;
                    /** @description Cap per screen. */
                    frequency?: {
                        /** @description Plays per hour. */
                        max_per_hour: number;
                    };
                    /**
                     * @description `draft` keeps it back; by default it is sent for review.
                     * @enum {unknown}
                     */
                    status?: "draft" | "pending_review";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCampaign"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.creative_not_ready.idempotency_in_flight.insufficient_funds"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignDetail"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the campaign. */
                    name?: string;
                    /** @description Tier-1 category, by id or slug, until the campaign is approved: of a draft, one in review, which is reviewed anew, or a rejected one. */
                    category?: string;
                    /** @description What may be spent in all. A raise is reserved on the wallet; what a cut frees goes back to it. */
                    budget?: components["schemas"]["Money"];
                    /** @description Days of the campaign, both included, local to the venue. */
                    schedule?: {
                        /** @description First day. YYYY-MM-DD. */
                        starts: string;
                        /** @description Last day. YYYY-MM-DD. */
                        ends: string;
                    };
                    /** @description Where and when; all times are local to the venue. */
                    targets?: {
                        /** @description Cities, without regard to case and accents; empty: any. */
                        cities?: string[];
                        /** @description OpenOOH venue types or parents of them; empty: any. */
                        venue_types?: string[];
                        /** @description Circles; empty: anywhere. */
                        areas?: {
                            /** @description Latitude in degrees. */
                            lat: number;
                            /** @description Longitude in degrees. */
                            lng: number;
                            /** @description Radius in kilometres. */
                            radiusKm: number;
                        }[];
                        /** @description Orientations of screens; empty: any. */
                        orientations?: ("landscape" | "portrait")[];
                        /** @description Part of the day; absent: all of it. */
                        daypart?: {
                            /** @description Start. HH:MM, 24-hour, local to the venue. */
                            start: string;
                            /** @description End; before the start: on the next day. HH:MM, 24-hour, local to the venue. */
                            end: string;
                        };
                        /** @description Weekdays; empty: every day. */
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                    };
                    /** @description Creatives in rotation, in place of those before. */
                    creatives?: {
                        /** @description cre_... */
                        id: string;
                        /** @description Weight in the rotation; 1 by default. */
                        weight?: number;
                    }[];
                    /** @description Where a scan leads; https. Null: nowhere. */
                    landing_url?: string | null;
                    /** @description Cap per screen. Null: none. */
                    frequency?: {
                        /** @description Plays per hour. */
                        max_per_hour: number;
                    } | null;
                    /** @description Whether brand lift is measured. */
                    brand_lift?: boolean;
                    /**
                     * @description `paused` stops it, `live` resumes it, `pending_review` submits a draft, or a rejected campaign that has spent nothing, or approves a client's campaign for its agency.
                     * @enum {unknown}
                     */
                    status?: "live" | "paused" | "pending_review";
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.creative_not_ready.idempotency_in_flight.insufficient_funds.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readCampaignResults: {
        parameters: {
            query?: {
                /** @description First day, in `tz`; by default the whole campaign. YYYY-MM-DD. */
                from?: string;
                /** @description Last day, in `tz`. YYYY-MM-DD. */
                to?: string;
                /** @description IANA time zone in which days and hours are cut, in any case; UTC by default. */
                tz?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResults"];
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description All of them, by number. */
                        data: components["schemas"]["Category"][];
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listVenueTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description All of them, parents before their children. */
                        data: components["schemas"]["VenueType"][];
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listCities: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those with most screens first, up to 5000. */
                        data: components["schemas"]["City"][];
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createForecast: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What may be spent in all: `{amount, currency}`, or a decimal amount in units of the currency that stands beside it. */
                    budget: components["schemas"]["Money"] | number;
                    /** @description OpenOOH venue types or parents of them; absent or empty: any. */
                    venue_types?: string[];
                    /** @description Cities, without regard to case and accents; absent or empty: any. */
                    cities?: string[];
                    /** @description Days, both included, local to the venue. Required beside a money object. */
                    schedule?: {
                        /** @description First day. YYYY-MM-DD. */
                        starts: string;
                        /** @description Last day. YYYY-MM-DD. */
                        ends: string;
                    };
                    /** @description Part of the day, local to the venue; absent: all of it. */
                    daypart?: {
                        /** @description HH:MM. */
                        start: string;
                        /** @description HH:MM; before the start: on the next day. */
                        end: string;
                    };
                    /** @description Circles, at most 100; absent or empty: anywhere. */
                    areas?: {
                        /** @description Latitude in degrees. */
                        lat: number;
                        /** @description Longitude in degrees. */
                        lng: number;
                        /** @description Radius in kilometres. */
                        radiusKm: number;
                    }[];
                    /** @description As `venue_types`, in the second shape. */
                    venueTypes?: string[];
                    /** @description Hours of the week, for four weeks from today; absent: all of them. */
                    hours?: {
                        /** @description Weekdays; absent or empty: every day. */
                        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
                        /** @description HH:MM, local to the venue. */
                        from: string;
                        /** @description HH:MM; before `from`: on the next day. */
                        to: string;
                    };
                    /** @description Currency code of ISO 4217, in the second shape. */
                    currency?: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forecast"] | components["schemas"]["AreaForecast"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listCampaignPlaces: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description First day, in `tz`; by default the whole campaign. YYYY-MM-DD. */
                from?: string;
                /** @description Last day, in `tz`. YYYY-MM-DD. */
                to?: string;
                /** @description IANA time zone of `from` and `to`, in any case; UTC by default. */
                tz?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Place"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                        /** @description Every play acknowledged before this moment is in the list. It may step back when the queue of plays was lost, until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC. */
                        as_of: string;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listInventory: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "price" | "-price" | "audience" | "-audience" | "plays_available" | "-plays_available";
                /** @description Only places inside this box of a map: west,south,east,north in degrees; west above east crosses the 180th meridian. A place is where it shows itself: those that hide their coordinates are in no box. */
                bbox?: string;
                /** @description Only places in this city, compared without case and accents. Several with commas between. */
                city?: string;
                /** @description Only this OpenOOH venue type, or those below it. Several with commas between. */
                venue_type?: string;
                /** @description Only places whose shown name holds this text, in any case. */
                q?: string;
                /** @description Only places where a play of 15 s reaches at least so many people. */
                audience_min?: string;
                /** @description Only places with at least so many visitors a day. */
                daily_visitors_min?: string;
                /** @description Only places where a thousand impressions cost at most so much, in the currency of the workspace. */
                cpm_max?: string;
                /** @description Only places where a play of 15 s costs at most so much, in the currency of the workspace. */
                price_max?: string;
                /** @description First day for which availability is forecast, at the venue; today by default. YYYY-MM-DD. */
                start?: string;
                /** @description Last day; four weeks from the first by default. YYYY-MM-DD. */
                end?: string;
                /** @description Only places with at least so many plays left in these days. */
                plays_available_min?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["InventoryPlace"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listWalletTransactions: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-at` by default. */
                sort?: "at" | "-at";
                /** @description Only transactions of this kind. Several comma-separated: top_up, top_up_refunded, reserve, refund, charge, discount, credit, transfer. */
                kind?: string;
                /** @description Not before this day or moment (YYYY-MM-DD, or ISO 8601 in UTC). */
                from?: string;
                /** @description Not after this day or moment; a day counts to its end. */
                to?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["WalletTransaction"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listTopUps: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description Only top-ups in this state. */
                status?: "pending" | "credited" | "cancelled";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["TopUp"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createWalletTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What to add, in the currency of the workspace. */
                    amount: components["schemas"]["Money"];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToppedUpWallet"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Money that was asked for. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopUp"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    cancelTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.payments_off.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.payment_refused.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable.payment_provider_away"];
        };
    };
    openCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where the person is led after paying. That they come there does not say that the money has come: the top-up does. */
                    success_url: string;
                    /** @description Where the person is led who goes back without paying. */
                    cancel_url?: string;
                };
            };
        };
        responses: {
            /** @description A page on which a top-up is paid. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.payments_off.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.payment_refused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable.payment_provider_away"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-issued_at` by default. */
                sort?: "issued_at" | "-issued_at";
                /** @description Only documents of this kind. */
                kind?: "invoice" | "credit_note";
                /** @description Only invoices in this state. */
                status?: "issued" | "paid";
                /** @description Only invoices of this month, YYYY-MM. */
                period?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Invoice"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceDetail"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    downloadInvoice: {
        parameters: {
            query: {
                /** @description End of the address, in milliseconds since 1970. */
                expires: string;
                /** @description Signature of the address. */
                signature: string;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            410: components["responses"]["410.public.link_expired"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    readPayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where payouts go. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    replacePayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the holder, as the bank knows it. */
                    holder: string;
                    /** @description Number of the account, an IBAN with its check digits; blanks and small letters are taken. */
                    iban: string;
                    /** @description Code of the bank (BIC), 8 or 11 characters, where it needs one. */
                    bic?: string | null;
                };
            };
        };
        responses: {
            /** @description Where payouts go. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listEarnings: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-key` by default. */
                sort?: "key" | "-key";
                /** @description First day, YYYY-MM-DD, local to the venue. 30 days up to `to` by default; at most 366. */
                from?: string;
                /** @description Last day, YYYY-MM-DD, local to the venue. The newest by default. */
                to?: string;
                /** @description What a row is about: a `day` (by default), a `screen`, a `venue`, or a `category` of campaigns. */
                group_by?: "day" | "screen" | "venue" | "category";
                /** @description Only what this venue earned, ven_... */
                venue?: string;
                /** @description Only what this screen earned, scr_... */
                screen?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EarningsList"];
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listEarnedPlays: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-starts_at` by default. */
                sort?: "starts_at" | "-starts_at";
                /** @description First day of the slots, YYYY-MM-DD, local to the venue. The day before `to` by default; at most 31 days. */
                from?: string;
                /** @description Last day of the slots, YYYY-MM-DD, local to the venue. The newest by default. */
                to?: string;
                /** @description Only what this venue earned, ven_... */
                venue?: string;
                /** @description Only what this screen earned, scr_... */
                screen?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EarnedPlaysList"];
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listStatements: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-month` by default. */
                sort?: "month" | "-month";
                /** @description Only statements of this month, YYYY-MM. */
                month?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Statement"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readStatement: {
        parameters: {
            query?: {
                /** @description Currency of the statement, ISO 4217; that of the workspace by default. */
                currency?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Month, YYYY-MM. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementDetail"];
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    downloadStatement: {
        parameters: {
            query: {
                /** @description End of the address, in milliseconds since 1970. */
                expires: string;
                /** @description Signature of the address. */
                signature: string;
            };
            header?: never;
            path: {
                /** @description Month, YYYY-MM. */
                month: string;
                /** @description Currency of the statement. */
                currency: string;
                /** @description Whose statement it is, ws_... */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            410: components["responses"]["410.public.link_expired"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-issued_at` by default. */
                sort?: "issued_at" | "-issued_at";
                /** @description Only payouts in this state. */
                status?: "issued" | "paid" | "failed";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Payout"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How much; absent: all that is available in the currency of the workspace and can be paid in whole minor units. */
                    amount?: components["schemas"]["PayoutMoney"];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDetail"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.earnings_held.idempotency_in_flight.insufficient_funds.payout_account_changed.payout_account_missing.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readEarningsBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What may be withdrawn. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EarningsBalance"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listEarningsHolds: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-raised_at` by default. */
                sort?: "raised_at" | "-raised_at";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["EarningsHold"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDetail"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listAgencyClients: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at" | "name" | "-name";
                /** @description Only clients of this status; `active` by default. Several comma-separated: active, archived. */
                status?: string;
                /** @description Only clients that are billed so. Several comma-separated: pass-through, agency-billed. */
                billing_model?: string;
                /** @description Only clients whose currency is this one. Several comma-separated. */
                currency?: string;
                /** @description Only clients whose name holds this text, in any case. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Client"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createAgencyClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the client. */
                    name: string;
                    /**
                     * @description `pass-through`: the client is billed; `agency-billed`: its charges are on the agency's invoice.
                     * @enum {unknown}
                     */
                    billing_model: "pass-through" | "agency-billed";
                    /** @description Currency of its wallet and campaigns, ISO 4217. It never changes. */
                    currency: string;
                };
            };
        };
        responses: {
            /** @description A client workspace of an agency. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    deleteAgencyClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeAgencyClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the client. */
                    name?: string;
                    /**
                     * @description Who is billed from the next invoice on.
                     * @enum {unknown}
                     */
                    billing_model?: "pass-through" | "agency-billed";
                    /** @description Null: as the agency has it. */
                    branding?: components["schemas"]["Branding"] | null;
                    /** @description Null: invoices go to its name. */
                    billing_details?: components["schemas"]["BillingDetails"] | null;
                    /** @description Null: as the agency has it. */
                    approval?: ("none" | "agency") | null;
                    /** @description Number of years that audit entries are kept (hours and days aside), 7 on the top plan only. Null: as the agency has it. */
                    audit_retention_years?: (2 | 7) | null;
                    /** @description Whether it lends itself to a case study. */
                    case_study?: boolean;
                    /** @description All people of the workspace: who is not in the list leaves, and the keys of that person with them. */
                    seats?: components["schemas"]["Seat"][];
                };
            };
        };
        responses: {
            /** @description A client workspace of an agency. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    restoreAgencyClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A client workspace of an agency. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Client"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    transferToClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What to move, in the currency of both wallets. */
                    amount: components["schemas"]["Money"];
                    /**
                     * @description From the agency to the client, or back.
                     * @enum {unknown}
                     */
                    direction: "to_client" | "to_agency";
                };
            };
        };
        responses: {
            /** @description Money moved between the wallets of an agency and its client. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transfer"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.insufficient_funds"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listAgencyApprovals: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Approval"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readAgencyReport: {
        parameters: {
            query?: {
                /** @description First day of the charges, YYYY-MM-DD (UTC, by the time of settlement); the first of this month by default. */
                from?: string;
                /** @description Last day, included; today by default. */
                to?: string;
                /** @description How rows are cut; `client` by default. */
                group?: "client" | "region" | "daypart" | "campaign";
                /** @description Which charges; the currency of the workspace by default. Amounts of two currencies are never added. */
                currency?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an agency and its clients were charged and given. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyReport"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Key"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What people call the key. */
                    name?: string;
                    /**
                     * @description What the key reaches; by default what the calling key reaches.
                     * @enum {unknown}
                     */
                    surface?: "ads_manager" | "screen_manager" | "agency" | "operator";
                    /**
                     * @description `read_only` may call only GET; `read_write` by default.
                     * @enum {unknown}
                     */
                    access?: "read_write" | "read_only";
                    /** @description Member for whom the key is made, usr_...: one whose role the caller may give. By default the person of the calling key. */
                    user_id?: string;
                    /**
                     * @description `test` routes to the sandbox; by default the mode of the calling key.
                     * @enum {unknown}
                     */
                    mode?: "live" | "test";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.too_many_keys"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict.too_many_keys"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who calls, and what that key or session may do. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Session"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Address under which the person accepted an invitation. */
                    email: string;
                    /** @description The password of the person. */
                    password: string;
                    /** @description Of a person with a second factor: the code that their app shows, or a recovery code. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Who signed in, and where they may work. The token is in the cookie. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            401: components["responses"]["401.public.second_factor_required.wrong_code.wrong_sign_in"];
            403: components["responses"]["403.public.cross_site_request.no_workspace"];
            408: components["responses"]["408.public.body_too_slow"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    readSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    signInByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the link, `link_...`. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Who signed in, and where they may work. The token is in the cookie. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            403: components["responses"]["403.public.cross_site_request.demo_only.no_workspace"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            410: components["responses"]["410.public.link_expired"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person who is signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the person is called. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The person who is signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The password of the person as it is now. */
                    current_password: string;
                    /** @description The new password. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The password of the person as it is now. */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunSecondFactor"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A code of the app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended.wrong_code"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A code of the app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended.wrong_code"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    beginLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The password of the person as it is now. */
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunLink"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    removeIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-joined_at` by default. */
                sort?: "joined_at" | "-joined_at" | "email" | "-email";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Member"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.last_owner"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The new role, which all keys of the person act with from now on. None that reaches further than the role of the caller.
                     * @enum {unknown}
                     */
                    role: "owner" | "admin" | "manager" | "finance" | "viewer";
                };
            };
        };
        responses: {
            /** @description A person of a workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.last_owner"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description Only those in this state. */
                status?: "open" | "accepted" | "revoked" | "expired";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Invitation"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Address of the person. Marquee sends no mail: hand the link or the token over yourself. */
                    email: string;
                    /**
                     * @description Role of the person in this workspace; none that reaches further than that of the caller.
                     * @enum {unknown}
                     */
                    role: "owner" | "admin" | "manager" | "finance" | "viewer";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeInvitation"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict.too_many_members"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            409: components["responses"]["409.keyed.state_conflict"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Token of the invitation, `invite_...`. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewedInvitation"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            410: components["responses"]["410.public.invitation_ended"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Token of the invitation, `invite_...`. */
                    token: string;
                    /** @description What the person is called; what is known already by default. */
                    name?: string;
                    /** @description For people who sign in to the console: the password that will sign in this address, or the one that does already, which shows that both are one person. No key is made then. */
                    password?: string;
                    /** @description A live key that the person has in another workspace under the same address. It shows that both are one person, whose workspaces `GET /v1/me` then lists together. */
                    key?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            409: components["responses"]["409.public.state_conflict.too_many_keys.too_many_members"];
            410: components["responses"]["410.public.invitation_ended"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `brand` to buy plays, `venue` to show them.
                     * @enum {unknown}
                     */
                    kind: "brand" | "venue";
                    /** @description Name of the brand or the venue's company. */
                    workspace_name: string;
                    /** @description Currency of its wallet or earnings, ISO 4217. It never changes. */
                    currency: string;
                    /** @description Address of the person who signs up, who becomes the owner. */
                    email: string;
                    /** @description What that person is called. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            403: components["responses"]["403.public.sign_up_closed"];
            408: components["responses"]["408.public.body_too_slow"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    listSandboxScreens: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["SimulatedScreen"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    addSandboxScreens: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many screens; a sandbox has at most 20 simulated ones. */
                    count: number;
                    venue: components["schemas"]["SimulatedVenue"];
                    /**
                     * @description How they stand; `landscape` by default.
                     * @enum {unknown}
                     */
                    orientation?: "landscape" | "portrait";
                    /** @description Share of the running time that may be ads, 0 to 1. */
                    ad_ratio?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedScreens"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    deleteSandboxScreen: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock of the sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The time to which the clock moves, ISO 8601 in UTC: ahead of its time, by 31 days at most. */
                    to: string;
                };
            };
        };
        responses: {
            /** @description The clock of the sandbox. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-at` by default. */
                sort?: "at" | "-at";
                /** @description Only what this person did (usr_... or the address), or `user`, `operator`, `system` or `device`. */
                actor?: string;
                /** @description Only entries about this kind of record, such as `campaign`, `screen` or `payout`. */
                entity?: string;
                /** @description Only entries about this record. */
                entity_id?: string;
                /** @description Only this action, such as `campaign.paused`. */
                action?: string;
                /** @description Not before this day or moment (YYYY-MM-DD, or ISO 8601 in UTC). */
                from?: string;
                /** @description Not after this day or moment; a day counts to its end. */
                to?: string;
                /** @description Only what came this way. */
                source?: "API" | "CLI" | "SYSTEM" | "DEVICE";
                /** @description `reads`: also the reads made with a key, which are left out otherwise. */
                include?: "reads";
                /** @description `changes`: only entries of changes; `calls`: only calls that changed nothing (refused ones, forecasts and, with `include=reads`, reads). */
                kind?: "changes" | "calls";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createAuditExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where the CSV goes. */
                    destination: {
                        /**
                         * @description `signed_url`: a CSV behind a link. `s3`, `gcs`: a bucket of Amazon, of Google, or of anything that speaks S3 (with `endpoint`).
                         * @enum {unknown}
                         */
                        type: "signed_url" | "s3" | "gcs";
                        /** @description Name of the bucket. */
                        bucket?: string;
                        /** @description Put before the name of the object; with its slash, if it is a folder. */
                        prefix?: string;
                        /** @description Region of the bucket; `us-east-1` by default. */
                        region?: string;
                        /** @description HTTPS address of a service that speaks S3; public, on port 443 or 8443. */
                        endpoint?: string;
                        /** @description Access key (of Google: an HMAC key). */
                        access_key_id?: string;
                        /** @description Its secret; kept sealed, and only until the export has ended. */
                        secret_access_key?: string;
                    };
                    /** @description Not before this day or moment (YYYY-MM-DD, or ISO 8601 in UTC). */
                    from?: string;
                    /** @description Not after this day or moment; a day counts to its end. Now by default. */
                    to?: string;
                };
            };
        };
        responses: {
            /** @description Accepted; the work goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAuditExport"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readAuditExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the export. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditExport"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Webhook"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description HTTPS address of the receiver, public, on port 443 or 8443. */
                    url: string;
                    /** @description Event types to send: those of resources that the surface of the key reaches. */
                    events: ("campaign.created" | "campaign.approved" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.rejected" | "creative.uploaded" | "creative.ready" | "creative.rejected" | "screen.paired" | "screen.online" | "screen.offline" | "screen.unpaired" | "scan.recorded" | "payout.issued" | "payout.paid" | "payout.failed" | "invoice.issued" | "invoice.paid" | "audit.entry.created")[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description HTTPS address of the receiver, public, on port 443 or 8443. */
                    url?: string;
                    /** @description Event types to send: those of resources that the surface of the key reaches. */
                    events?: ("campaign.created" | "campaign.approved" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.rejected" | "creative.uploaded" | "creative.ready" | "creative.rejected" | "screen.paired" | "screen.online" | "screen.offline" | "screen.unpaired" | "scan.recorded" | "payout.issued" | "payout.paid" | "payout.failed" | "invoice.issued" | "invoice.paid" | "audit.entry.created")[];
                    /**
                     * @description `active` enables again and forgets the failures; `disabled` gives up what still waits.
                     * @enum {unknown}
                     */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    simulateWebhookEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Type of the event whose sample is sent; one that the surface of the webhook reaches.
                     * @enum {unknown}
                     */
                    type: "campaign.created" | "campaign.approved" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.rejected" | "creative.uploaded" | "creative.ready" | "creative.rejected" | "screen.paired" | "screen.online" | "screen.offline" | "screen.unpaired" | "scan.recorded" | "payout.issued" | "payout.paid" | "payout.failed" | "invoice.issued" | "invoice.paid" | "audit.entry.created";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description Only deliveries of this status. */
                status?: "pending" | "delivered" | "failed";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the webhook. */
                id: string;
                /** @description Id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    readCampaignReport: {
        parameters: {
            query?: {
                /** @description First day, in `tz`; by default the whole campaign. YYYY-MM-DD. */
                from?: string;
                /** @description Last day, in `tz`. YYYY-MM-DD. */
                to?: string;
                /** @description Width of a bucket; `day` by default. */
                group?: "day" | "hour";
                /** @description IANA time zone in which days and hours are cut, in any case; UTC by default. */
                tz?: string;
                /** @description Only this time of day at the venues: morning, midday, afternoon, evening, night, or HH:MM-HH:MM in steps of 15 minutes. One over midnight belongs to the day on which it began. */
                daypart?: string;
                /** @description Only what was shown at this venue. */
                venue?: string;
                /** @description Only venues of this city, compared without case and accents. */
                city?: string;
                /** @description Also the figures of the range by venue, city, creative, hour, in `groups` (`hour`: of the day, in `tz`); as CSV these in place of the series. */
                group_by?: "venue" | "city" | "creative" | "hour";
                /** @description Of an answer as CSV: `figures` (the default) are the series or the groups; `statement` is a line each for `totals`, every adjustment and `net`, and for what was not charged or not counted, by reason. */
                table?: "figures" | "statement";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignReport"];
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readCampaignsReport: {
        parameters: {
            query: {
                /** @description The campaigns, comma-separated, at most 100. */
                campaign_id: string;
                /** @description First day, in `tz`; by default the whole campaign. YYYY-MM-DD. */
                from?: string;
                /** @description Last day, in `tz`. YYYY-MM-DD. */
                to?: string;
                /** @description Width of a bucket; `day` by default. */
                group?: "day" | "hour";
                /** @description IANA time zone in which days and hours are cut, in any case; UTC by default. */
                tz?: string;
                /** @description Only this time of day at the venues: morning, midday, afternoon, evening, night, or HH:MM-HH:MM in steps of 15 minutes. One over midnight belongs to the day on which it began. */
                daypart?: string;
                /** @description Only what was shown at this venue. */
                venue?: string;
                /** @description Only venues of this city, compared without case and accents. */
                city?: string;
                /** @description Also the figures of the range by venue, city, creative, hour, campaign, in `groups` (`hour`: of the day, in `tz`); as CSV these in place of the series. */
                group_by?: "venue" | "city" | "creative" | "hour" | "campaign";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignsReport"];
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-at` by default. */
                sort?: "at" | "-at";
                /** @description Only scans of this campaign. */
                campaign_id?: string;
                /** @description Only scans of this screen. */
                screen?: string;
                /** @description Only scans at this venue. */
                venue?: string;
                /** @description Only scans of codes shown with this creative. */
                creative?: string;
                /** @description Only scans of this time of day at the venues: morning, midday, afternoon, evening, night, or HH:MM-HH:MM in steps of 15 minutes, as in reports. */
                daypart?: string;
                /** @description First day, in `tz`. YYYY-MM-DD. */
                from?: string;
                /** @description Last day, in `tz`. YYYY-MM-DD. */
                to?: string;
                /** @description IANA time zone of `from` and `to`, in any case; UTC by default. */
                tz?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; as CSV where `Accept` prefers `text/csv`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Scan"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                    "text/csv": string;
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listBrandLift: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description Only this campaign. */
                campaign_id?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["BrandLift"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            409: components["responses"]["409.keyed.state_conflict"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    createBrandLiftResponses: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Answers; all of them are taken, or none. */
                    responses: {
                        /** @description The campaign that was asked about; it has `brand_lift`. */
                        campaign_id: string;
                        /**
                         * @description Whether the person had been exposed to the campaign.
                         * @enum {unknown}
                         */
                        group: "exposed" | "control";
                        /**
                         * @description What was asked.
                         * @enum {unknown}
                         */
                        question: "awareness" | "recall" | "intent";
                        /** @description Whether the answer was positive. */
                        positive: boolean;
                        /** @description The survey's own name of the person; only a hash of it is kept, so that nobody answers a question twice. */
                        respondent: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandLiftReceipt"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listSharedReports: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["SharedReport"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    shareReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who it is for, for the list; readers do not see it. */
                    name?: string;
                    /**
                     * @description Number of days after which it ends; 30 by default.
                     * @default 30
                     */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeSharedReport"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    endSharedReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            408: components["responses"]["408.keyed.body_too_slow"];
            413: components["responses"]["413.keyed.body_too_large"];
            415: components["responses"]["415.keyed.unsupported_media_type"];
            422: components["responses"]["422.keyed.validation_failed"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readSharedReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the link, `report_...`. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The report of a campaign by day and city, for whoever has the link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedReportShown"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            410: components["responses"]["410.public.link_expired"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.validation_failed"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    readScreensNow: {
        parameters: {
            query?: {
                /** @description The screens that are asked about, scr_... Several comma-separated. */
                screen?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each screen of the workspace that was asked about. */
                        data: components["schemas"]["ScreenNow"][];
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listScreenDecisions: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-starts_at` by default. */
                sort?: "starts_at" | "-starts_at";
                /** @description Slots that begin at this moment or later (ISO 8601 in UTC, or YYYY-MM-DD). An hour before `to` by default; at most 24 hours before it. */
                from?: string;
                /** @description Slots that begin before this moment. Now by default. */
                to?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["ScreenDecision"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listCampaignDecisions: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-starts_at` by default. */
                sort?: "starts_at" | "-starts_at";
                /** @description Slots that begin at this moment or later (ISO 8601 in UTC, or YYYY-MM-DD). An hour before `to` by default; at most 24 hours before it. */
                from?: string;
                /** @description Slots that begin before this moment. Now by default. */
                to?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["CampaignDecision"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["Review"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    approveReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedReview"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    rejectReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Code of the reason.
                     * @enum {unknown}
                     */
                    reason: "prohibited_category" | "landing_page" | "creative_not_ready" | "creative_orientation" | "restricted_category" | "misleading" | "content" | "policy";
                    /** @description What the owner of the campaign reads; by default the sentence that belongs to the code. */
                    detail?: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedReview"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight.state_conflict"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    listNetworkScreens: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-created_at` by default. */
                sort?: "created_at" | "-created_at";
                /** @description Status of the screen. Several comma-separated: online, offline, paired_idle. */
                status?: string;
                /** @description Text in the name of the screen, its venue, its city or its workspace. */
                q?: string;
                /** @description `true`: also say in `total` how many records all pages hold. */
                count?: "true";
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["NetworkScreen"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readNetworkPlaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the screens of all workspaces stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPlaces"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    listNetworkDecisions: {
        parameters: {
            query?: {
                /** @description Records per page, 1 to 100; 20 by default. */
                limit?: string;
                /** @description The `next_cursor` of the page before; absent for the first page. It knows the order of its list. */
                cursor?: string;
                /** @description Order of the records, the largest first with a minus; `-starts_at` by default. */
                sort?: "starts_at" | "-starts_at";
                /** @description Slots that begin at this moment or later (ISO 8601 in UTC, or YYYY-MM-DD). An hour before `to` by default; at most 24 hours before it. */
                from?: string;
                /** @description Slots that begin before this moment. Now by default. */
                to?: string;
            };
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The records of this page; newest first, unless `sort` says otherwise. */
                        data: components["schemas"]["NetworkDecision"][];
                        /** @description Whether more records follow. */
                        has_more: boolean;
                        /** @description Pass it as `cursor` for the next page; null on the last one. */
                        next_cursor: string | null;
                        /** @description How many records all pages hold, where `count=true` asked for it. */
                        total?: number;
                    };
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_cursor.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readOperationsStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the installation keeps what it promises. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsStatus"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    readDeadLetters: {
        parameters: {
            query?: never;
            header?: {
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The `ETag` of an earlier answer. Where it would be the same again, the answer is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events that were acknowledged and could not be processed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetterGroups"];
                };
            };
            /** @description What `If-None-Match` names has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.keyed.bad_query_parameter.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.keyed.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.keyed.no_workspace.role_forbidden.wrong_mode.wrong_surface"];
            404: components["responses"]["404.keyed.not_found"];
            429: components["responses"]["429.keyed.rate_limited"];
            500: components["responses"]["500.keyed.internal_error"];
            503: components["responses"]["503.keyed.engine_unavailable"];
        };
    };
    retryDeadLetters: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text of the caller's own, new for each intended effect. A repeat with the same body within 24 hours is answered as the first was and changes nothing; with another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For keys of an agency: the client workspace to act on, ws_...; absent: the agency itself. For a session: the workspace of the person, or a client of an agency of theirs; absent: the only one that there is. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description Name and version of the calling software, app/version; only counted. */
                "X-Service-Sdk"?: components["parameters"]["ServiceSdk"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Only those that failed there.
                     * @enum {unknown}
                     */
                    step?: "decode" | "verify";
                    /** @description Only those with this reason. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-RateLimit-Workspace-Limit": components["headers"]["X-RateLimit-Workspace-Limit"];
                    "X-RateLimit-Workspace-Remaining": components["headers"]["X-RateLimit-Workspace-Remaining"];
                    "X-Key-Expires-At": components["headers"]["X-Key-Expires-At"];
                    Warning: components["headers"]["Warning"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedLetters"];
                };
            };
            400: components["responses"]["400.idempotent.bad_idempotency_key.bad_query_parameter.malformed_json.repeated_header.unknown_query_parameter.workspace_required"];
            401: components["responses"]["401.idempotent.expired_key.invalid_key.invalid_session.missing_key.revoked_key.session_ended"];
            403: components["responses"]["403.idempotent.cross_site_request.no_workspace.read_only_key.role_forbidden.workspace_archived.workspace_in_review.wrong_mode.wrong_surface"];
            404: components["responses"]["404.idempotent.not_found"];
            408: components["responses"]["408.idempotent.body_too_slow"];
            409: components["responses"]["409.idempotent.idempotency_in_flight"];
            413: components["responses"]["413.idempotent.body_too_large"];
            415: components["responses"]["415.idempotent.unsupported_media_type"];
            422: components["responses"]["422.idempotent.idempotency_key_reused.validation_failed"];
            429: components["responses"]["429.idempotent.rate_limited"];
            500: components["responses"]["500.idempotent.internal_error"];
            503: components["responses"]["503.idempotent.engine_unavailable"];
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An event as Stripe sends it, with `Stripe-Signature`; at most 128 KiB. */
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEventReceipt"];
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.bad_signature.repeated_header.unknown_query_parameter"];
            408: components["responses"]["408.public.body_too_slow"];
            409: components["responses"]["409.public.payments_off"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            429: components["responses"]["429.public.rate_limited"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    uploadFile: {
        parameters: {
            query: {
                /** @description End of the address, in milliseconds since 1970. */
                expires: string;
                /** @description Signature of the address. */
                signature: string;
            };
            header?: never;
            path: {
                /** @description cre_... or ast_... */
                id: string;
            };
            cookie?: never;
        };
        /** @description The file, under the content type that its name announced; at most 200 MiB. */
        requestBody: {
            content: {
                "video/mp4": string;
                "video/webm": string;
                "video/quicktime": string;
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description cre_... or ast_... */
                        id: string;
                        /** @description `awaiting_upload`: the file is here and will be checked. */
                        status: string;
                        /** @description Hex SHA-256 of the file. */
                        sha256: string;
                        /** @description Size of the file in bytes. */
                        bytes: number;
                    };
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            409: components["responses"]["409.public.state_conflict"];
            410: components["responses"]["410.public.upload_expired"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.upload_rejected"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    uploadAudio: {
        parameters: {
            query: {
                /** @description End of the address, in milliseconds since 1970. */
                expires: string;
                /** @description Signature of the address. */
                signature: string;
            };
            header?: never;
            path: {
                /** @description cre_... or ast_... */
                id: string;
            };
            cookie?: never;
        };
        /** @description The sound, under the content type that its name announced; at most 200 MiB. */
        requestBody: {
            content: {
                "audio/mpeg": string;
                "audio/mp4": string;
                "audio/wav": string;
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description cre_... or ast_... */
                        id: string;
                        /** @description `awaiting_upload`: the file is here and will be checked. */
                        status: string;
                        /** @description Hex SHA-256 of the file. */
                        sha256: string;
                        /** @description Size of the file in bytes. */
                        bytes: number;
                    };
                };
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            408: components["responses"]["408.public.body_too_slow"];
            409: components["responses"]["409.public.state_conflict"];
            410: components["responses"]["410.public.upload_expired"];
            413: components["responses"]["413.public.body_too_large"];
            415: components["responses"]["415.public.unsupported_media_type"];
            422: components["responses"]["422.public.upload_rejected"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    downloadAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description <sha256>.<extension> */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": string;
                    "video/webm": string;
                    "video/quicktime": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description The range that was asked for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": string;
                    "video/webm": string;
                    "video/quicktime": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description The client has it: `If-None-Match` names it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.public.repeated_header"];
            404: components["responses"]["404.public.not_found"];
            /** @description The range lies behind the end of the file. */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    checkAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description <sha256>.<extension> */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there; its size is in `Content-Length`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client has it: `If-None-Match` names it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.public.repeated_header"];
            404: components["responses"]["404.public.not_found"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    showMenuPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name that the page was given. */
                name: string;
                /** @description Name of the template. */
                template: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.public.repeated_header"];
            404: components["responses"]["404.public.not_found"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    showSponsorshipCard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name that the page was given. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.public.repeated_header"];
            404: components["responses"]["404.public.not_found"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    followScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Signed code of campaign, creative, screen and slot. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the landing page of the campaign. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.public.repeated_header"];
            404: components["responses"]["404.public.not_found"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
            /** @description There is no such link. */
            default: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadAuditExport: {
        parameters: {
            query: {
                /** @description End of the address, in milliseconds since 1970. */
                expires: string;
                /** @description Signature of the address. */
                signature: string;
            };
            header?: never;
            path: {
                /** @description exp_... */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.public.bad_query_parameter.repeated_header.unknown_query_parameter"];
            404: components["responses"]["404.public.not_found"];
            410: components["responses"]["410.public.link_expired"];
            500: components["responses"]["500.public.internal_error"];
            503: components["responses"]["503.public.engine_unavailable"];
        };
    };
    receiveCampaignCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "campaign.created";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** @description The campaign after the event. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        object: {
                            /** @description cmp_... */
                            id: string;
                            /** @description Name of the campaign. */
                            name: string;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                            /** @description Why it is finished: `schedule_ended` or `budget_spent`. */
                            reason?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCampaignApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "campaign.approved";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** @description The campaign after the event. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        object: {
                            /** @description cmp_... */
                            id: string;
                            /** @description Name of the campaign. */
                            name: string;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                            /** @description Why it is finished: `schedule_ended` or `budget_spent`. */
                            reason?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description What this event changed, as it was before. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCampaignPaused: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "campaign.paused";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** @description The campaign after the event. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        object: {
                            /** @description cmp_... */
                            id: string;
                            /** @description Name of the campaign. */
                            name: string;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                            /** @description Why it is finished: `schedule_ended` or `budget_spent`. */
                            reason?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description What this event changed, as it was before. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCampaignResumed: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "campaign.resumed";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** @description The campaign after the event. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        object: {
                            /** @description cmp_... */
                            id: string;
                            /** @description Name of the campaign. */
                            name: string;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                            /** @description Why it is finished: `schedule_ended` or `budget_spent`. */
                            reason?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description What this event changed, as it was before. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCampaignFinished: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "campaign.finished";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** @description The campaign after the event. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        object: {
                            /** @description cmp_... */
                            id: string;
                            /** @description Name of the campaign. */
                            name: string;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                            /** @description Why it is finished: `schedule_ended` or `budget_spent`. */
                            reason?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description What this event changed, as it was before. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCampaignRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "campaign.rejected";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** @description The campaign after the event. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        object: {
                            /** @description cmp_... */
                            id: string;
                            /** @description Name of the campaign. */
                            name: string;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                            /** @description Why it is finished: `schedule_ended` or `budget_spent`. */
                            reason?: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description What this event changed, as it was before. Where one `PATCH` changed the status and other fields, those are here too, spelled as in the audit log. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCreativeUploaded: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "creative.uploaded";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description cre_... */
                            id: string;
                            /** @description Name of the creative. */
                            name: string;
                            /** @description `landscape` or `portrait`. */
                            orientation: string;
                            /** @description Milliseconds. */
                            duration_ms: number;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCreativeReady: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "creative.ready";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description cre_... */
                            id: string;
                            /** @description Name of the creative. */
                            name: string;
                            /** @description `landscape` or `portrait`. */
                            orientation: string;
                            /** @description Milliseconds. */
                            duration_ms: number;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                        };
                        /** @description What this event changed, as it was before. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCreativeRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "creative.rejected";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description cre_... */
                            id: string;
                            /** @description Name of the creative. */
                            name: string;
                            /** @description `landscape` or `portrait`. */
                            orientation: string;
                            /** @description Milliseconds. */
                            duration_ms: number;
                            /** @description Status after the event. */
                            status: string;
                            /** @description Why it was rejected. */
                            rejection?: {
                                /** @description What is wrong, in snake case. */
                                code: string;
                                /** @description The same for people. */
                                detail: string;
                            };
                        };
                        /** @description What this event changed, as it was before. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveScreenPaired: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "screen.paired";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description scr_... */
                            id: string;
                            /** @description ven_... */
                            venue_id: string;
                            /** @description Label of the screen. */
                            label: string;
                            /** @description `online` or `offline`, of these two events. */
                            status?: string;
                            /** @description When it was last heard of, of `screen.online` and `screen.offline`. ISO 8601, UTC. */
                            last_seen_at?: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveScreenOnline: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "screen.online";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description scr_... */
                            id: string;
                            /** @description ven_... */
                            venue_id: string;
                            /** @description Label of the screen. */
                            label: string;
                            /** @description `online` or `offline`, of these two events. */
                            status?: string;
                            /** @description When it was last heard of, of `screen.online` and `screen.offline`. ISO 8601, UTC. */
                            last_seen_at?: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveScreenOffline: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "screen.offline";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description scr_... */
                            id: string;
                            /** @description ven_... */
                            venue_id: string;
                            /** @description Label of the screen. */
                            label: string;
                            /** @description `online` or `offline`, of these two events. */
                            status?: string;
                            /** @description When it was last heard of, of `screen.online` and `screen.offline`. ISO 8601, UTC. */
                            last_seen_at?: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveScreenUnpaired: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "screen.unpaired";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description scr_... */
                            id: string;
                            /** @description ven_... */
                            venue_id: string;
                            /** @description Label of the screen. */
                            label: string;
                            /** @description `online` or `offline`, of these two events. */
                            status?: string;
                            /** @description When it was last heard of, of `screen.online` and `screen.offline`. ISO 8601, UTC. */
                            last_seen_at?: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveScanRecorded: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "scan.recorded";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** Scan */
                        object: {
                            /** @description scan_... */
                            id: string;
                            /** @description When the code was followed. ISO 8601, UTC. */
                            at: string;
                            /** @description cmp_... */
                            campaign_id: string;
                            /** @description The creative variant that showed the code, cre_... */
                            creative_id: string;
                            /** @description scr_... */
                            screen_id: string;
                            /** @description ven_... */
                            venue_id: string;
                            /** @description Part of the day at the venue. */
                            daypart: string;
                            /** @description Minute of the slot in which the code was shown. ISO 8601, UTC. */
                            slot_at: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePayoutIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "payout.issued";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description pay_... */
                            id: string;
                            /** @description `issued`, `paid` or `failed`. */
                            status: string;
                            /** @description What was withdrawn. */
                            amount: {
                                /** @description Decimal amount. */
                                value: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                            /** @description What is sent, less the fee; of `payout.issued`. */
                            paid_out?: {
                                /** @description Decimal amount. */
                                value: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePayoutPaid: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "payout.paid";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description pay_... */
                            id: string;
                            /** @description `issued`, `paid` or `failed`. */
                            status: string;
                            /** @description What was withdrawn. */
                            amount: {
                                /** @description Decimal amount. */
                                value: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                            /** @description What is sent, less the fee; of `payout.issued`. */
                            paid_out?: {
                                /** @description Decimal amount. */
                                value: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                        };
                        /** @description What this event changed, as it was before. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePayoutFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "payout.failed";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description pay_... */
                            id: string;
                            /** @description `issued`, `paid` or `failed`. */
                            status: string;
                            /** @description What was withdrawn. */
                            amount: {
                                /** @description Decimal amount. */
                                value: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                            /** @description What is sent, less the fee; of `payout.issued`. */
                            paid_out?: {
                                /** @description Decimal amount. */
                                value: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                        };
                        /** @description What this event changed, as it was before. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "invoice.issued";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description inv_... */
                            id: string;
                            /** @description Number of the invoice. */
                            number: string;
                            /** @description `invoice` or `credit_note`; of `invoice.issued`. */
                            kind?: string;
                            /** @description YYYY-MM; of `invoice.issued`. */
                            period?: string;
                            /** @description `issued` or `paid`. */
                            status: string;
                            /** @description When it was issued, in a sandbox by its clock; of `invoice.issued`. ISO 8601, UTC. */
                            issued_at?: string;
                            /** @description What is to be paid, or was credited. */
                            total: {
                                /** @description Decimal amount; below zero of a credit note. */
                                amount: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoicePaid: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "invoice.paid";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        object: {
                            /** @description inv_... */
                            id: string;
                            /** @description Number of the invoice. */
                            number: string;
                            /** @description `invoice` or `credit_note`; of `invoice.issued`. */
                            kind?: string;
                            /** @description YYYY-MM; of `invoice.issued`. */
                            period?: string;
                            /** @description `issued` or `paid`. */
                            status: string;
                            /** @description When it was issued, in a sandbox by its clock; of `invoice.issued`. ISO 8601, UTC. */
                            issued_at?: string;
                            /** @description What is to be paid, or was credited. */
                            total: {
                                /** @description Decimal amount; below zero of a credit note. */
                                amount: number;
                                /** @description Currency code. */
                                currency: string;
                            };
                        };
                        /** @description What this event changed, as it was before. */
                        previous: {
                            /** @description Status before. */
                            status: string;
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveAuditEntryCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret (`whsec_...`). Two `v1` for 24 hours after a rotation. Compare in constant time, and refuse a `t` that is 300 s or more away. */
                "X-Service-Signature": string;
                /** @description Id of the event (Standard Webhooks). */
                "webhook-id": string;
                /** @description Unix seconds (Standard Webhooks). */
                "webhook-timestamp": string;
                /** @description `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed with the base64-decoded secret without `whsec_` (Standard Webhooks). */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description evt_...: the same in every attempt; receivers take an event once by it. */
                    id: string;
                    /**
                     * @description Type of the event.
                     * @constant
                     */
                    type: "audit.entry.created";
                    /** @description When it happened. ISO 8601, UTC. */
                    created_at: string;
                    /** @description The workspace that it happened in, ws_... */
                    workspace_id: string;
                    /** @description What happened. */
                    data: {
                        /** AuditEntry */
                        object: {
                            /** @description aud_... */
                            id: string;
                            /** @description When it happened. ISO 8601, UTC. */
                            at: string;
                            /** @description Who did it. */
                            actor: {
                                /** @description `user`, `operator`, `system` or `device`. */
                                type: string;
                                /** @description usr_... of a person; else the same as the type. */
                                id: string;
                                /** @description Address of the person at that time; null for others. */
                                email: string | null;
                            };
                            /** @description `<entity>.<verb>`, such as `campaign.paused`. Of calls that changed nothing: `.read`, `.called` or `.refused`; `audit.incomplete` says how many of them are not in the log. */
                            action: string;
                            /** @description What it was done to. */
                            entity: {
                                /** @description Kind of the record. */
                                type: string;
                                /** @description Id of the record; null where a list was called. */
                                id: string | null;
                            };
                            /**
                             * @description The way it came: `API` with a key, `CLI` by the operator, `SYSTEM` by itself, `DEVICE` by a screen.
                             * @enum {unknown}
                             */
                            source: "API" | "CLI" | "SYSTEM" | "DEVICE";
                            /** @description Address of the caller, if there was one. */
                            ip: string | null;
                            /** @description Software of the caller, as it names itself. */
                            user_agent: string | null;
                            /** @description The call itself, of entries whose call changed nothing. */
                            call?: {
                                /** @description HTTP method. */
                                method: string;
                                /** @description Path and query, up to 500 characters. */
                                path: string;
                                /** @description HTTP status of the answer. */
                                status: number;
                                /** @description Code of the refusal; null for none. */
                                code: string | null;
                                /** @description X-Request-Id of the answer. */
                                request_id: string;
                            };
                            /** @description What changed, by field; empty for a call that changed nothing. */
                            diff: {
                                [key: string]: {
                                    /** @description Value before; null if there was none. */
                                    from: unknown;
                                    /** @description Value after; null if there is none. */
                                    to: unknown;
                                };
                            };
                        };
                        /** @description True for a sample that `simulate` sent; else absent. */
                        simulated?: boolean;
                        /** @description True where the record is too large for 20 kB: `object` has its `id` alone, and the rest is to be read from the API. */
                        truncated?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
