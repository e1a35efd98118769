# Made from the OpenAPI document by test/api/openapi/python-client.test.ts; renew it with vitest -u.
"""The calls of the API, one method each. `Marquee` in client.py is what programs make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ..calls import Calls, quoted
from .types import (
    AcceptInvitationBody,
    AcceptedInvitation,
    Account,
    AddSandboxScreensBody,
    AddedScreens,
    AdvanceSandboxClockBody,
    AgencyReport,
    Alerts,
    Approval,
    AreaForecast,
    AskedJob,
    Asset,
    AuditEntry,
    AuditExport,
    BeginLinkBody,
    BeginSecondFactorBody,
    BegunLink,
    BegunSecondFactor,
    BrandLift,
    BrandLiftReceipt,
    Campaign,
    CampaignDecision,
    CampaignDetail,
    CampaignReport,
    CampaignResults,
    CampaignsReport,
    ChallengeSensorBody,
    ChangeAccountBody,
    ChangeAgencyClientBody,
    ChangeCampaignBody,
    ChangeCreativeBody,
    ChangeMemberBody,
    ChangePasswordBody,
    ChangePlaylistBody,
    ChangeScreenBody,
    ChangeVenueBody,
    ChangeWebhookBody,
    Checkout,
    Client,
    ConfirmPairingAnswer,
    ConfirmPairingBody,
    ConfirmSecondFactorBody,
    CreateAgencyClientBody,
    CreateAssetBody,
    CreateAuditExportBody,
    CreateBrandLiftResponsesBody,
    CreateCampaignBody,
    CreateCreativeBody,
    CreateForecastBody,
    CreateInvitationBody,
    CreateKeyBody,
    CreatePairingAnswer,
    CreatePairingBody,
    CreatePayoutBody,
    CreatePlaylistBody,
    CreateScreenBody,
    CreateVenueBody,
    CreateWalletTopUpBody,
    CreateWebhookBody,
    CreatedAuditExport,
    CreatedCampaign,
    CreatedKey,
    Creative,
    DeadLetterGroups,
    DecidedReview,
    EarnedPlay,
    EarningsBalance,
    EarningsHold,
    EarningsRow,
    Forecast,
    HealthPeriod,
    HindsightDays,
    Integrations,
    InventoryPlace,
    Invitation,
    Invoice,
    InvoiceDetail,
    Key,
    ListCategoriesAnswer,
    ListCitiesAnswer,
    ListProofKeysAnswer,
    ListVenueTypesAnswer,
    ListedCampaign,
    MadeInvitation,
    MadeSharedReport,
    Me,
    Member,
    Menu,
    MovedWorkspace,
    NetworkDecision,
    NetworkPlaces,
    NetworkScreen,
    OpenCheckoutBody,
    OperationsStatus,
    PairSensorBody,
    PaymentEventReceipt,
    Payout,
    PayoutAccount,
    PayoutDetail,
    Place,
    Playlist,
    PreviewInvitationBody,
    PreviewedInvitation,
    ReadPairingAnswer,
    ReadScreensNowAnswer,
    ReadSharedReportBody,
    RecoveryCodes,
    RejectReviewBody,
    RemoveSecondFactorBody,
    ReplaceAlertsBody,
    ReplacePayoutAccountBody,
    ReplaceVenueMenuBody,
    RetriedLetters,
    RetryDeadLettersBody,
    Review,
    SandboxClock,
    Scan,
    ScheduledJobs,
    Screen,
    ScreenDecision,
    SensorChallenge,
    Session,
    ShareReportBody,
    SharedReport,
    SharedReportShown,
    SignInBody,
    SignInByLinkBody,
    SignInOptions,
    SignUpBody,
    SignedIn,
    SimulateWebhookEventBody,
    SimulatedScreen,
    Statement,
    StatementDetail,
    TopUp,
    ToppedUpWallet,
    Transfer,
    TransferToClientBody,
    Venue,
    Wallet,
    WalletTransaction,
    Webhook,
    WebhookDelivery,
    WebhookWithSecret,
    Workspace,
    WorkspaceAccount,
)


class Operations(Calls):
    def read_openapi(self) -> dict[str, Any]:
        """Read this document.

        Needs no key.
        """
        answer: dict[str, Any] = self._json("GET", "/v1/openapi.json")
        return answer

    def list_venues(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name", "city", "-city"] | None = None,
        type: str | None = None,
        city: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Venue]:
        """List the venues.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/venues",
            query={"limit": limit, "sort": sort, "type": type, "city": city, "q": q, "count": count},
            workspace=workspace,
        )

    def create_venue(
        self,
        body: CreateVenueBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Venue:
        """Create a venue.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        answer: Venue = self._json(
            "POST",
            "/v1/venues",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_venue(self, id: str, *, workspace: str | None = None) -> Venue:
        """Read a venue.

        Any key of the surface `screen_manager`; every role.
        """
        answer: Venue = self._json("GET", f"/v1/venues/{quoted(id)}", workspace=workspace)
        return answer

    def change_venue(
        self,
        id: str,
        body: ChangeVenueBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Venue:
        """Change a venue.

        `opening_hours` and `blocked_categories` are replaced as a whole; of `visibility` the fields that are sent
        are changed and the others stay. A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        answer: Venue = self._json(
            "PATCH",
            f"/v1/venues/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_venue(self, id: str, *, workspace: str | None = None) -> None:
        """Archive a venue that has no screens.

        Its earnings, payouts and reports stay; it is in no list any more. A read-write key of the surface
        `screen_manager`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/venues/{quoted(id)}", workspace=workspace)

    def read_venue_menu(self, id: str, *, workspace: str | None = None) -> Menu:
        """Read the menu of a venue.

        Any key of the surface `screen_manager`; every role.
        """
        answer: Menu = self._json("GET", f"/v1/venues/{quoted(id)}/menu", workspace=workspace)
        return answer

    def replace_venue_menu(self, id: str, body: ReplaceVenueMenuBody, *, workspace: str | None = None) -> Menu:
        """Replace the menu of a venue; screens that show it change at once.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        answer: Menu = self._json("PUT", f"/v1/venues/{quoted(id)}/menu", body=body, workspace=workspace)
        return answer

    def list_playlists(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name", "updated_at", "-updated_at"] | None = None,
        venue: str | None = None,
        asset: str | None = None,
        creative: str | None = None,
        status: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Playlist]:
        """List the playlists of the workspace, or of a venue.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/playlists",
            query={"limit": limit, "sort": sort, "venue": venue, "asset": asset, "creative": creative, "status": status, "q": q, "count": count},
            workspace=workspace,
        )

    def create_playlist(
        self,
        body: CreatePlaylistBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Playlist:
        """Create a playlist.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        answer: Playlist = self._json(
            "POST",
            "/v1/playlists",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_playlist(self, id: str, *, workspace: str | None = None) -> Playlist:
        """Read a playlist.

        Any key of the surface `screen_manager`; every role.
        """
        answer: Playlist = self._json("GET", f"/v1/playlists/{quoted(id)}", workspace=workspace)
        return answer

    def change_playlist(
        self,
        id: str,
        body: ChangePlaylistBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Playlist:
        """Change a playlist; screens that run it change at once.

        `items` are replaced as a whole: send all of them, in their order. A read-write key of the surface
        `screen_manager`; owner, admin or manager.
        """
        answer: Playlist = self._json(
            "PATCH",
            f"/v1/playlists/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_playlist(self, id: str, *, workspace: str | None = None) -> None:
        """Archive a playlist; its screens fall back to the default of their venue.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/playlists/{quoted(id)}", workspace=workspace)

    def create_pairing(
        self,
        body: CreatePairingBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> CreatePairingAnswer:
        """Mint a pairing code.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        answer: CreatePairingAnswer = self._json(
            "POST",
            "/v1/pairing",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_pairing(self, code: str, *, workspace: str | None = None) -> ReadPairingAnswer:
        """Ask whether a code was claimed.

        Any key of the surface `screen_manager`; every role.
        """
        answer: ReadPairingAnswer = self._json("GET", f"/v1/pairing/{quoted(code)}", workspace=workspace)
        return answer

    def confirm_pairing(
        self,
        code: str,
        body: ConfirmPairingBody,
        *,
        idempotency_key: str | None = None,
    ) -> ConfirmPairingAnswer:
        """Confirm a code from the device; needs no key.

        Needs no key.
        """
        answer: ConfirmPairingAnswer = self._json(
            "POST",
            f"/v1/pairing/{quoted(code)}/confirm",
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def list_screens(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "label", "-label", "status", "-status"] | None = None,
        venue: str | None = None,
        venue_id: str | None = None,
        status: str | None = None,
        platform: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        lat: str | None = None,
        lng: str | None = None,
        radius_km: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[Screen]:
        """List the screens.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/screens",
            query={"limit": limit, "sort": sort, "venue": venue, "venue_id": venue_id, "status": status, "platform": platform, "q": q, "count": count, "lat": lat, "lng": lng, "radius_km": radius_km},
            workspace=workspace,
        )

    def create_screen(
        self,
        body: CreateScreenBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Screen:
        """Pair a screen by the code that it shows.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        answer: Screen = self._json(
            "POST",
            "/v1/screens",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_screen(self, id: str, *, workspace: str | None = None) -> Screen:
        """Read a screen.

        Any key of the surface `screen_manager`; every role.
        """
        answer: Screen = self._json("GET", f"/v1/screens/{quoted(id)}", workspace=workspace)
        return answer

    def change_screen(
        self,
        id: str,
        body: ChangeScreenBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Screen:
        """Change a screen.

        `blocked_categories` is replaced as a whole: send all of them that shall stay. A read-write key of the
        surface `screen_manager`; owner, admin or manager.
        """
        answer: Screen = self._json(
            "PATCH",
            f"/v1/screens/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_screen(self, id: str, *, workspace: str | None = None) -> None:
        """Unpair a screen.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/screens/{quoted(id)}", workspace=workspace)

    def list_screen_health(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["from", "-from"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[HealthPeriod]:
        """List when a screen was online and offline in the last 30 days.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/screens/{quoted(id)}/health",
            query={"limit": limit, "sort": sort},
            workspace=workspace,
        )

    def challenge_sensor(
        self,
        id: str,
        body: ChallengeSensorBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> SensorChallenge:
        """Ask what a sensing module has to sign to be paired with a screen.

        A read-write key of the surface `screen_manager`; owner, admin or manager. Keys of the mode `live` alone.
        """
        answer: SensorChallenge = self._json(
            "POST",
            f"/v1/screens/{quoted(id)}/sensor/challenge",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def pair_sensor(
        self,
        id: str,
        body: PairSensorBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Screen:
        """Pair a screen with the sensing module that signed the challenge.

        A read-write key of the surface `screen_manager`; owner, admin or manager. Keys of the mode `live` alone.
        """
        answer: Screen = self._json(
            "POST",
            f"/v1/screens/{quoted(id)}/sensor",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def unpair_sensor(self, id: str, *, workspace: str | None = None) -> None:
        """Take the sensing module from a screen.

        A read-write key of the surface `screen_manager`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/screens/{quoted(id)}/sensor", workspace=workspace)

    def list_creatives(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name"] | None = None,
        status: str | None = None,
        orientation: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Creative]:
        """List the creatives.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/creatives",
            query={"limit": limit, "sort": sort, "status": status, "orientation": orientation, "q": q, "count": count},
            workspace=workspace,
        )

    def create_creative(
        self,
        body: CreateCreativeBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Creative:
        """Create a creative and get the address for its file.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: Creative = self._json(
            "POST",
            "/v1/creatives",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_creative(self, id: str, *, workspace: str | None = None) -> Creative:
        """Read a creative.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        answer: Creative = self._json("GET", f"/v1/creatives/{quoted(id)}", workspace=workspace)
        return answer

    def change_creative(
        self,
        id: str,
        body: ChangeCreativeBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Creative:
        """Change a creative, or name its file.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: Creative = self._json(
            "PATCH",
            f"/v1/creatives/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_creative(self, id: str, *, workspace: str | None = None) -> None:
        """Detach a creative from its campaigns.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/creatives/{quoted(id)}", workspace=workspace)

    def list_assets(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name"] | None = None,
        status: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Asset]:
        """List the assets.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/assets",
            query={"limit": limit, "sort": sort, "status": status, "q": q, "count": count},
            workspace=workspace,
        )

    def create_asset(
        self,
        body: CreateAssetBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Asset:
        """Create an asset and get the address for its image.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: Asset = self._json(
            "POST",
            "/v1/assets",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_asset(self, id: str, *, workspace: str | None = None) -> Asset:
        """Read an asset.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        answer: Asset = self._json("GET", f"/v1/assets/{quoted(id)}", workspace=workspace)
        return answer

    def delete_asset(self, id: str, *, workspace: str | None = None) -> None:
        """Archive an asset that nothing shows.

        Refused while a playlist shows it or a venue has it as its photo; they are named. An archived asset can be
        read and restored. A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin
        or manager.
        """
        self._nothing("DELETE", f"/v1/assets/{quoted(id)}", workspace=workspace)

    def restore_asset(self, id: str, *, idempotency_key: str | None = None, workspace: str | None = None) -> Asset:
        """Restore an archived asset.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: Asset = self._json(
            "POST",
            f"/v1/assets/{quoted(id)}/restore",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_campaigns(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name", "starts", "-starts", "ends", "-ends", "budget", "-budget"] | None = None,
        status: str | None = None,
        category: str | None = None,
        q: str | None = None,
        creative: str | None = None,
        count: Literal["true"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[ListedCampaign]:
        """List the campaigns.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/campaigns",
            query={"limit": limit, "sort": sort, "status": status, "category": category, "q": q, "creative": creative, "count": count, "from": from_, "to": to},
            workspace=workspace,
        )

    def create_campaign(
        self,
        body: CreateCampaignBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> CreatedCampaign:
        """Create a campaign.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
        """
        answer: CreatedCampaign = self._json(
            "POST",
            "/v1/campaigns",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_campaign(self, id: str, *, workspace: str | None = None) -> CampaignDetail:
        """Read a campaign with its delivery.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: CampaignDetail = self._json("GET", f"/v1/campaigns/{quoted(id)}", workspace=workspace)
        return answer

    def change_campaign(
        self,
        id: str,
        body: ChangeCampaignBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Campaign:
        """Change, pause or resume a campaign, or submit a draft.

        Fields that are objects or lists (`budget`, `targets`, `schedule`, `creatives`, `frequency`) are replaced as
        a whole: send all of them that shall stay. A read-write key of the surface `ads_manager` or `agency`; owner,
        admin or manager.
        """
        answer: Campaign = self._json(
            "PATCH",
            f"/v1/campaigns/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_campaign(self, id: str, *, workspace: str | None = None) -> None:
        """Delete a campaign and refund what it has not spent.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/campaigns/{quoted(id)}", workspace=workspace)

    def read_campaign_results(
        self,
        id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        tz: str | None = None,
        workspace: str | None = None,
    ) -> CampaignResults:
        """Results by day, hour and screen.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: CampaignResults = self._json(
            "GET",
            f"/v1/campaigns/{quoted(id)}/results",
            query={"from": from_, "to": to, "tz": tz},
            workspace=workspace,
        )
        return answer

    def read_campaign_results_csv(
        self,
        id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        tz: str | None = None,
        workspace: str | None = None,
    ) -> str:
        """Results by day, hour and screen.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._csv(
            "GET",
            f"/v1/campaigns/{quoted(id)}/results",
            query={"from": from_, "to": to, "tz": tz},
            workspace=workspace,
        )

    def list_categories(self, *, workspace: str | None = None) -> ListCategoriesAnswer:
        """List the categories that a campaign may have.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        answer: ListCategoriesAnswer = self._json("GET", "/v1/categories", workspace=workspace)
        return answer

    def list_venue_types(self, *, workspace: str | None = None) -> ListVenueTypesAnswer:
        """List the types that a venue may have.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        answer: ListVenueTypesAnswer = self._json("GET", "/v1/venue-types", workspace=workspace)
        return answer

    def list_cities(self, *, workspace: str | None = None) -> ListCitiesAnswer:
        """List the cities in which screens stand.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        answer: ListCitiesAnswer = self._json("GET", "/v1/cities", workspace=workspace)
        return answer

    def create_forecast(
        self,
        body: CreateForecastBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Forecast | AreaForecast:
        """Forecast what a plan would reach, with a 90% band.

        A read-write key of the surface `ads_manager` or `agency`; every role.
        """
        answer: Forecast | AreaForecast = self._json(
            "POST",
            "/v1/forecasts",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_campaign_places(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        tz: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[Place]:
        """List the places at which a campaign was shown.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/campaigns/{quoted(id)}/places",
            query={"limit": limit, "sort": sort, "from": from_, "to": to, "tz": tz},
            workspace=workspace,
        )

    def list_inventory(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "price", "-price", "audience", "-audience", "plays_available", "-plays_available"] | None = None,
        bbox: str | None = None,
        city: str | None = None,
        venue_type: str | None = None,
        q: str | None = None,
        audience_min: str | None = None,
        daily_visitors_min: str | None = None,
        cpm_max: str | None = None,
        price_max: str | None = None,
        start: str | None = None,
        end: str | None = None,
        plays_available_min: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[InventoryPlace]:
        """Search the places that could be booked.

        Venues with paired screens, newest first unless `sort` says otherwise, with what a play costs there by the
        rate card and what the forecast says is left in the days asked for. Any key of the surface `ads_manager` or
        `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/inventory",
            query={"limit": limit, "sort": sort, "bbox": bbox, "city": city, "venue_type": venue_type, "q": q, "audience_min": audience_min, "daily_visitors_min": daily_visitors_min, "cpm_max": cpm_max, "price_max": price_max, "start": start, "end": end, "plays_available_min": plays_available_min},
            workspace=workspace,
        )

    def read_wallet(self, *, workspace: str | None = None) -> Wallet:
        """Read the wallet.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: Wallet = self._json("GET", "/v1/wallet", workspace=workspace)
        return answer

    def list_wallet_transactions(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["at", "-at"] | None = None,
        kind: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[WalletTransaction]:
        """List what was booked on the wallet.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/wallet/transactions",
            query={"limit": limit, "sort": sort, "kind": kind, "from": from_, "to": to},
            workspace=workspace,
        )

    def list_top_ups(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        status: Literal["pending", "credited", "cancelled"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[TopUp]:
        """List the top-ups.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/wallet/top-ups",
            query={"limit": limit, "sort": sort, "status": status},
            workspace=workspace,
        )

    def create_wallet_top_up(
        self,
        body: CreateWalletTopUpBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> ToppedUpWallet:
        """Ask for money on the wallet; play money comes at once.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or finance.
        """
        answer: ToppedUpWallet = self._json(
            "POST",
            "/v1/wallet/top-ups",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_top_up(self, id: str, *, workspace: str | None = None) -> TopUp:
        """Read a top-up.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: TopUp = self._json("GET", f"/v1/wallet/top-ups/{quoted(id)}", workspace=workspace)
        return answer

    def cancel_top_up(self, id: str, *, workspace: str | None = None) -> None:
        """Call a top-up off that has not been credited.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or finance.
        """
        self._nothing("DELETE", f"/v1/wallet/top-ups/{quoted(id)}", workspace=workspace)

    def open_checkout(
        self,
        id: str,
        body: OpenCheckoutBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Checkout:
        """Open a page on which a top-up is paid.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or finance.
        """
        answer: Checkout = self._json(
            "POST",
            f"/v1/wallet/top-ups/{quoted(id)}/checkout",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_invoices(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["issued_at", "-issued_at"] | None = None,
        kind: Literal["invoice", "credit_note"] | None = None,
        status: Literal["issued", "paid"] | None = None,
        period: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[Invoice]:
        """List the invoices and credit notes.

        Test keys list the test invoices of the sandbox alone: a month of play money is invoiced when the clock of
        the sandbox has passed its end. There are no credit notes of play money. Any key of the surface `ads_manager`
        or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/invoices",
            query={"limit": limit, "sort": sort, "kind": kind, "status": status, "period": period},
            workspace=workspace,
        )

    def read_invoice(
        self,
        id: str,
        *,
        format: Literal["json", "pdf", "ubl", "cii"] | None = None,
        workspace: str | None = None,
    ) -> InvoiceDetail:
        """Read an invoice or a credit note with its lines.

        As JSON, or by `Accept` or `format` as PDF or as XML of EN 16931. `application/xml` is UBL; CII has
        `format=cii` alone. `format` wins. Other media types get JSON. A document without VAT has no XML
        (`state_conflict`). Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: InvoiceDetail = self._json(
            "GET",
            f"/v1/invoices/{quoted(id)}",
            query={"format": format},
            workspace=workspace,
        )
        return answer

    def list_proof_keys(self) -> ListProofKeysAnswer:
        """List the public keys that verify proofs of invoices.

        A JSON Web Key Set (RFC 7517). Save it apart from invoices: `marquee-verify` asks for it. Needs no key.
        """
        answer: ListProofKeysAnswer = self._json("GET", "/v1/proof-keys")
        return answer

    def download_invoice(self, id: str, *, expires: str, signature: str) -> bytes:
        """Download the PDF of an invoice by its signed address.

        Needs no key.
        """
        return self._bytes("GET", f"/v1/invoices/{quoted(id)}/pdf", query={"expires": expires, "signature": signature})

    def download_invoice_proof(self, id: str, *, workspace: str | None = None) -> bytes:
        """Download the plays of an invoice as its proof.

        A line of JSON per play, in the order of the tree: `index`, `play_id`, `campaign_id`, `starts_at`,
        `screen_id`, `impressions_thousandths`, `micros` and `hash`. `marquee-verify` checks them against `proof` of
        the invoice. Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._bytes("GET", f"/v1/invoices/{quoted(id)}/proof", workspace=workspace)

    def read_payout_account(self, *, workspace: str | None = None) -> PayoutAccount:
        """Read where payouts go.

        Any key of the surface `screen_manager`; every role.
        """
        answer: PayoutAccount = self._json("GET", "/v1/payouts/account", workspace=workspace)
        return answer

    def replace_payout_account(self, body: ReplacePayoutAccountBody, *, workspace: str | None = None) -> PayoutAccount:
        """Say where payouts go.

        A read-write key of the surface `screen_manager`; owner, admin or finance.
        """
        answer: PayoutAccount = self._json("PUT", "/v1/payouts/account", body=body, workspace=workspace)
        return answer

    def list_earnings(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["key", "-key"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        group_by: Literal["day", "screen", "venue", "category"] | None = None,
        venue: str | None = None,
        screen: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[EarningsRow]:
        """List earnings by day, screen, venue or category.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/payouts/earnings",
            query={"limit": limit, "sort": sort, "from": from_, "to": to, "group_by": group_by, "venue": venue, "screen": screen},
            workspace=workspace,
        )

    def list_earnings_csv(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["key", "-key"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        group_by: Literal["day", "screen", "venue", "category"] | None = None,
        venue: str | None = None,
        screen: str | None = None,
        workspace: str | None = None,
    ) -> str:
        """List earnings by day, screen, venue or category.

        Any key of the surface `screen_manager`; every role.
        """
        return self._csv(
            "GET",
            "/v1/payouts/earnings",
            query={"limit": limit, "sort": sort, "from": from_, "to": to, "group_by": group_by, "venue": venue, "screen": screen},
            workspace=workspace,
        )

    def list_earned_plays(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["starts_at", "-starts_at"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        venue: str | None = None,
        screen: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[EarnedPlay]:
        """List the plays behind earnings.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/payouts/earnings/plays",
            query={"limit": limit, "sort": sort, "from": from_, "to": to, "venue": venue, "screen": screen},
            workspace=workspace,
        )

    def list_earned_plays_csv(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["starts_at", "-starts_at"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        venue: str | None = None,
        screen: str | None = None,
        workspace: str | None = None,
    ) -> str:
        """List the plays behind earnings.

        Any key of the surface `screen_manager`; every role.
        """
        return self._csv(
            "GET",
            "/v1/payouts/earnings/plays",
            query={"limit": limit, "sort": sort, "from": from_, "to": to, "venue": venue, "screen": screen},
            workspace=workspace,
        )

    def list_statements(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["month", "-month"] | None = None,
        month: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[Statement]:
        """List the monthly statements of earnings.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/payouts/statements",
            query={"limit": limit, "sort": sort, "month": month},
            workspace=workspace,
        )

    def read_statement(
        self,
        month: str,
        *,
        currency: str | None = None,
        workspace: str | None = None,
    ) -> StatementDetail:
        """Read the statement of a month.

        Any key of the surface `screen_manager`; every role.
        """
        answer: StatementDetail = self._json(
            "GET",
            f"/v1/payouts/statements/{quoted(month)}",
            query={"currency": currency},
            workspace=workspace,
        )
        return answer

    def read_statement_csv(self, month: str, *, currency: str | None = None, workspace: str | None = None) -> str:
        """Read the statement of a month.

        Any key of the surface `screen_manager`; every role.
        """
        return self._csv(
            "GET",
            f"/v1/payouts/statements/{quoted(month)}",
            query={"currency": currency},
            workspace=workspace,
        )

    def download_statement(self, month: str, currency: str, workspace: str, *, expires: str, signature: str) -> bytes:
        """Download the PDF of a statement by its signed address.

        Needs no key.
        """
        return self._bytes(
            "GET",
            f"/v1/payouts/statements/{quoted(month)}/{quoted(currency)}/{quoted(workspace)}/pdf",
            query={"expires": expires, "signature": signature},
        )

    def list_payouts(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["issued_at", "-issued_at"] | None = None,
        status: Literal["issued", "paid", "failed"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Payout]:
        """List the payouts.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            "/v1/payouts",
            query={"limit": limit, "sort": sort, "status": status},
            workspace=workspace,
        )

    def create_payout(
        self,
        body: CreatePayoutBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> PayoutDetail:
        """Withdraw earnings.

        A read-write key of the surface `screen_manager`; owner, admin or finance.
        """
        answer: PayoutDetail = self._json(
            "POST",
            "/v1/payouts",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_earnings_balance(self, *, workspace: str | None = None) -> EarningsBalance:
        """Read what may be withdrawn.

        Any key of the surface `screen_manager`; every role.
        """
        answer: EarningsBalance = self._json("GET", "/v1/payouts/balance", workspace=workspace)
        return answer

    def list_earnings_holds(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["raised_at", "-raised_at"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[EarningsHold]:
        """List why earnings are held.

        Any key of the surface `screen_manager`; every role.
        """
        return self._pages("GET", "/v1/payouts/holds", query={"limit": limit, "sort": sort}, workspace=workspace)

    def read_payout(
        self,
        id: str,
        *,
        format: Literal["json", "pdf", "ubl", "cii"] | None = None,
        workspace: str | None = None,
    ) -> PayoutDetail:
        """Read a payout with its line items.

        As JSON; or its self-billed invoice, by `Accept` or `format` as PDF or as XML of EN 16931. `application/xml`
        is UBL; CII has `format=cii` alone. A payout without a self-billed invoice has no file (`state_conflict`).
        Any key of the surface `screen_manager`; every role.
        """
        answer: PayoutDetail = self._json(
            "GET",
            f"/v1/payouts/{quoted(id)}",
            query={"format": format},
            workspace=workspace,
        )
        return answer

    def list_agency_clients(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name"] | None = None,
        status: str | None = None,
        billing_model: str | None = None,
        currency: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Client]:
        """List the client workspaces.

        Any key of the surface `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/agency/clients",
            query={"limit": limit, "sort": sort, "status": status, "billing_model": billing_model, "currency": currency, "q": q, "count": count},
            workspace=workspace,
        )

    def create_agency_client(
        self,
        body: CreateAgencyClientBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Client:
        """Create a client workspace.

        A read-write key of the surface `agency`; owner or admin.
        """
        answer: Client = self._json(
            "POST",
            "/v1/agency/clients",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_agency_client(self, id: str, *, workspace: str | None = None) -> Client:
        """Read a client workspace, or what all clients inherit.

        The agency itself is read by its own id. A test key reads clients of the sandbox. Any key of the surface
        `agency`; every role.
        """
        answer: Client = self._json("GET", f"/v1/agency/clients/{quoted(id)}", workspace=workspace)
        return answer

    def change_agency_client(
        self,
        id: str,
        body: ChangeAgencyClientBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Client:
        """Change a client workspace, or what all clients inherit.

        A test key changes clients of the sandbox alone, not the agency itself. Fields that are objects or lists
        (`branding`, `billing_details`, `seats`) are replaced as a whole: send all of them that shall stay. A seat
        whose role reaches further than your own is neither given nor taken away (`role_forbidden`). A read-write key
        of the surface `agency`; owner or admin.
        """
        answer: Client = self._json(
            "PATCH",
            f"/v1/agency/clients/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_agency_client(self, id: str, *, workspace: str | None = None) -> None:
        """Archive a client workspace.

        Refused while a campaign of it runs, waits for its review or is paused (they are named), and while its wallet
        holds money. The sandbox of a live client does not count. An archived client can be read, and so can its
        campaigns, reports and invoices; nothing in it changes until it is restored. A read-write key of the surface
        `agency`; owner or admin.
        """
        self._nothing("DELETE", f"/v1/agency/clients/{quoted(id)}", workspace=workspace)

    def restore_agency_client(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Client:
        """Restore an archived client workspace.

        A read-write key of the surface `agency`; owner or admin.
        """
        answer: Client = self._json(
            "POST",
            f"/v1/agency/clients/{quoted(id)}/restore",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def transfer_to_client(
        self,
        id: str,
        body: TransferToClientBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Transfer:
        """Move money between the wallets of the agency and a client.

        A read-write key of the surface `agency`; owner or admin.
        """
        answer: Transfer = self._json(
            "POST",
            f"/v1/agency/clients/{quoted(id)}/transfers",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_agency_approvals(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Approval]:
        """List the campaigns of all clients that wait for the approval of the agency.

        To approve one, act as its client (`X-Workspace-Id`) and send `PATCH /campaigns/{id}` with the status
        `pending_review`. Any key of the surface `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/agency/approvals",
            query={"limit": limit, "sort": sort, "count": count},
            workspace=workspace,
        )

    def read_agency_report(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        group: Literal["client", "region", "daypart", "campaign"] | None = None,
        currency: str | None = None,
        workspace: str | None = None,
    ) -> AgencyReport:
        """Report of costs and discounts by client, region, daypart or campaign.

        Any key of the surface `agency`; every role.
        """
        answer: AgencyReport = self._json(
            "GET",
            "/v1/agency/reports",
            query={"from": from_, "to": to, "group": group, "currency": currency},
            workspace=workspace,
        )
        return answer

    def list_keys(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Key]:
        """List the API keys.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
        """
        return self._pages("GET", "/v1/keys", query={"limit": limit, "sort": sort}, workspace=workspace)

    def create_key(
        self,
        body: CreateKeyBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> CreatedKey:
        """Create an API key.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
        """
        answer: CreatedKey = self._json(
            "POST",
            "/v1/keys",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_key(self, id: str, *, workspace: str | None = None) -> Key:
        """Read an API key.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
        """
        answer: Key = self._json("GET", f"/v1/keys/{quoted(id)}", workspace=workspace)
        return answer

    def delete_key(self, id: str, *, workspace: str | None = None) -> None:
        """Revoke an API key at once.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
        """
        self._nothing("DELETE", f"/v1/keys/{quoted(id)}", workspace=workspace)

    def rotate_key(self, id: str, *, idempotency_key: str | None = None, workspace: str | None = None) -> CreatedKey:
        """Replace an API key; the old one stays valid for 24 hours.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin.
        """
        answer: CreatedKey = self._json(
            "POST",
            f"/v1/keys/{quoted(id)}/rotate",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_me(self, *, workspace: str | None = None) -> Me:
        """Ask who calls: person, workspace, role and permissions.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        answer: Me = self._json("GET", "/v1/me", workspace=workspace)
        return answer

    def read_alerts(self, *, workspace: str | None = None) -> Alerts:
        """Read which alerts the caller gets by mail.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role. Keys of the mode `live`
        alone.
        """
        answer: Alerts = self._json("GET", "/v1/me/alerts", workspace=workspace)
        return answer

    def replace_alerts(self, body: ReplaceAlertsBody, *, workspace: str | None = None) -> Alerts:
        """Choose alerts by mail.

        Of the caller, for one workspace: an agency chooses for a client with `X-Workspace-Id`. A read-write key of
        the surface `ads_manager`, `screen_manager` or `agency`; every role. Keys of the mode `live` alone.
        """
        answer: Alerts = self._json("PUT", "/v1/me/alerts", body=body, workspace=workspace)
        return answer

    def list_sessions(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Session]:
        """List the open sessions of the person.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode
        `live` alone.
        """
        return self._pages("GET", "/v1/sessions", query={"limit": limit, "sort": sort}, workspace=workspace)

    def sign_in(self, body: SignInBody, *, idempotency_key: str | None = None) -> SignedIn:
        """Sign in with an address and a password.

        For browsers: the answer sets the cookie `marquee_session`. The call needs the header `X-Requested-With:
        marquee-console`, as do all writes with the cookie. After ten wrong passwords or codes an address waits for a
        quarter of an hour. Needs no key.
        """
        answer: SignedIn = self._json("POST", "/v1/sessions", body=body, idempotency_key=idempotency_key)
        return answer

    def read_sign_in_options(self) -> SignInOptions:
        """Read how people sign in here.

        Needs no key.
        """
        answer: SignInOptions = self._json("GET", "/v1/sessions/options")
        return answer

    def sign_in_by_link(self, body: SignInByLinkBody, *, idempotency_key: str | None = None) -> SignedIn:
        """Sign in with a link of the demo.

        Of `npm run demo` alone, which prints the links: every other installation refuses them. Needs no key.
        """
        answer: SignedIn = self._json("POST", "/v1/sessions/link", body=body, idempotency_key=idempotency_key)
        return answer

    def sign_out(self, *, workspace: str | None = None) -> None:
        """Sign out.

        Ends the session that the call is made with, and its cookie. A key has none. A read-write key of the surface
        `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
        """
        self._nothing("DELETE", "/v1/sessions/current", workspace=workspace)

    def delete_session(self, id: str, *, workspace: str | None = None) -> None:
        """End a session of the person.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        self._nothing("DELETE", f"/v1/sessions/{quoted(id)}", workspace=workspace)

    def read_account(self, *, workspace: str | None = None) -> Account:
        """Read the own account.

        Of the person who is signed in. A key has none, here as in the other calls of the account. Any key of the
        surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
        """
        answer: Account = self._json("GET", "/v1/account", workspace=workspace)
        return answer

    def change_account(
        self,
        body: ChangeAccountBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Account:
        """Change the own name.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        answer: Account = self._json(
            "PATCH",
            "/v1/account",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def change_password(self, body: ChangePasswordBody, *, workspace: str | None = None) -> None:
        """Change the own password; all other sessions end.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        self._nothing("PUT", "/v1/account/password", body=body, workspace=workspace)

    def begin_second_factor(
        self,
        body: BeginSecondFactorBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> BegunSecondFactor:
        """Begin a second factor.

        Sign-ins ask for its codes once one of them was shown by `POST /v1/account/second-factor/confirm`. A
        read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        answer: BegunSecondFactor = self._json(
            "POST",
            "/v1/account/second-factor",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def confirm_second_factor(
        self,
        body: ConfirmSecondFactorBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> RecoveryCodes:
        """Confirm the second factor with a first code.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        answer: RecoveryCodes = self._json(
            "POST",
            "/v1/account/second-factor/confirm",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def remove_second_factor(
        self,
        body: RemoveSecondFactorBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> None:
        """Remove the second factor with a code of it.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        self._nothing(
            "POST",
            "/v1/account/second-factor/remove",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )

    def begin_link(
        self,
        body: BeginLinkBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> BegunLink:
        """Begin linking an account of the OpenID provider.

        For browsers: the answer sets a cookie, and names the address of the provider, which leads back to the
        console. From then on that account signs the person in. A read-write key of the surface `ads_manager`,
        `screen_manager`, `agency` or `operator`; every role. Keys of the mode `live` alone.
        """
        answer: BegunLink = self._json(
            "POST",
            "/v1/account/identity",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def remove_identity(self, *, workspace: str | None = None) -> None:
        """Let no account of an OpenID provider sign the person in.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role. Keys of
        the mode `live` alone.
        """
        self._nothing("DELETE", "/v1/account/identity", workspace=workspace)

    def list_members(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["joined_at", "-joined_at", "email", "-email"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Member]:
        """List the people of the workspace.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        return self._pages("GET", "/v1/members", query={"limit": limit, "sort": sort}, workspace=workspace)

    def read_member(self, id: str, *, workspace: str | None = None) -> Member:
        """Read a member of the workspace.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        answer: Member = self._json("GET", f"/v1/members/{quoted(id)}", workspace=workspace)
        return answer

    def change_member(
        self,
        id: str,
        body: ChangeMemberBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Member:
        """Give a member another role.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys
        of the mode `live` alone.
        """
        answer: Member = self._json(
            "PATCH",
            f"/v1/members/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_member(self, id: str, *, workspace: str | None = None) -> None:
        """Let a member leave; the keys of that person end at once.

        One may leave oneself. The last owner cannot. Who leaves an agency leaves its clients, too; one of which they
        were the only owner gets an owner of the agency in their place. A read-write key of the surface
        `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys of the mode `live` alone.
        """
        self._nothing("DELETE", f"/v1/members/{quoted(id)}", workspace=workspace)

    def list_invitations(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        status: Literal["open", "accepted", "revoked", "expired"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Invitation]:
        """List the invitations.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        return self._pages(
            "GET",
            "/v1/invitations",
            query={"limit": limit, "sort": sort, "status": status},
            workspace=workspace,
        )

    def create_invitation(
        self,
        body: CreateInvitationBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> MadeInvitation:
        """Invite somebody to the workspace.

        If the operator has set a mail server, the link is also sent to the address, after the invitation is made:
        `mail` says what came of it. An answer that is repeated under its `Idempotency-Key` sends nothing again. A
        read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys
        of the mode `live` alone.
        """
        answer: MadeInvitation = self._json(
            "POST",
            "/v1/invitations",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_invitation(self, id: str, *, workspace: str | None = None) -> None:
        """Revoke an invitation.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner or admin. Keys
        of the mode `live` alone.
        """
        self._nothing("DELETE", f"/v1/invitations/{quoted(id)}", workspace=workspace)

    def preview_invitation(
        self,
        body: PreviewInvitationBody,
        *,
        idempotency_key: str | None = None,
    ) -> PreviewedInvitation:
        """See what an invitation is to.

        For the page that accepts it. It changes nothing: it is a POST so that no address contains the token. Needs
        no key.
        """
        answer: PreviewedInvitation = self._json(
            "POST",
            "/v1/invitations/preview",
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def accept_invitation(
        self,
        body: AcceptInvitationBody,
        *,
        idempotency_key: str | None = None,
    ) -> AcceptedInvitation:
        """Accept an invitation and get a key, or a password to sign in with.

        A key is shown in this answer only. If you lose it, ask an admin of the workspace for another. With a
        password there is no key: the person signs in with `POST /v1/sessions`. Needs no key.
        """
        answer: AcceptedInvitation = self._json(
            "POST",
            "/v1/invitations/accept",
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def sign_up(self, body: SignUpBody, *, idempotency_key: str | None = None) -> AcceptedInvitation:
        """Make a workspace of one's own, where the operator opens it.

        The workspace is `in_review`, without money, until the operator approves it; the person is its owner. The key
        is shown in this answer only. Needs no key.
        """
        answer: AcceptedInvitation = self._json("POST", "/v1/sign-up", body=body, idempotency_key=idempotency_key)
        return answer

    def list_sandbox_screens(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[SimulatedScreen]:
        """List the simulated screens.

        Any key of the surface `ads_manager` or `agency`; every role. Keys of the mode `test` alone.
        """
        return self._pages("GET", "/v1/sandbox/screens", query={"limit": limit, "sort": sort}, workspace=workspace)

    def add_sandbox_screens(
        self,
        body: AddSandboxScreensBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> AddedScreens:
        """Make simulated screens in a place of the sandbox.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager. Keys of the mode `test`
        alone.
        """
        answer: AddedScreens = self._json(
            "POST",
            "/v1/sandbox/screens",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_sandbox_screen(self, id: str, *, workspace: str | None = None) -> None:
        """Remove a simulated screen.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager. Keys of the mode `test`
        alone.
        """
        self._nothing("DELETE", f"/v1/sandbox/screens/{quoted(id)}", workspace=workspace)

    def read_sandbox_clock(self, *, workspace: str | None = None) -> SandboxClock:
        """Ask what time it is in the sandbox, and whether its clock moves.

        Any key of the surface `ads_manager` or `agency`; every role. Keys of the mode `test` alone.
        """
        answer: SandboxClock = self._json("GET", "/v1/sandbox/clock", workspace=workspace)
        return answer

    def advance_sandbox_clock(
        self,
        body: AdvanceSandboxClockBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> SandboxClock:
        """Move the clock of the sandbox; its simulated screens play what is due.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager. Keys of the mode `test`
        alone.
        """
        answer: SandboxClock = self._json(
            "POST",
            "/v1/sandbox/clock/advance",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_audit(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["at", "-at"] | None = None,
        actor: str | None = None,
        entity: str | None = None,
        entity_id: str | None = None,
        action: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        source: Literal["API", "CLI", "SYSTEM", "DEVICE"] | None = None,
        include: Literal["reads"] | None = None,
        kind: Literal["changes", "calls"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[AuditEntry]:
        """List the audit entries.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        return self._pages(
            "GET",
            "/v1/audit",
            query={"limit": limit, "sort": sort, "actor": actor, "entity": entity, "entity_id": entity_id, "action": action, "from": from_, "to": to, "source": source, "include": include, "kind": kind},
            workspace=workspace,
        )

    def create_audit_export(
        self,
        body: CreateAuditExportBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> CreatedAuditExport:
        """Export the audit entries as CSV.

        A read-write key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; owner, admin or
        finance.
        """
        answer: CreatedAuditExport = self._json(
            "POST",
            "/v1/audit/export",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_audit_export(self, job_id: str, *, workspace: str | None = None) -> AuditExport:
        """Read the state of an export.

        Any key of the surface `ads_manager`, `screen_manager`, `agency` or `operator`; every role.
        """
        answer: AuditExport = self._json("GET", f"/v1/audit/export/{quoted(job_id)}", workspace=workspace)
        return answer

    def list_webhooks(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Webhook]:
        """List the webhooks.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        return self._pages("GET", "/v1/webhooks", query={"limit": limit, "sort": sort}, workspace=workspace)

    def create_webhook(
        self,
        body: CreateWebhookBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> WebhookWithSecret:
        """Subscribe an address to events.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: WebhookWithSecret = self._json(
            "POST",
            "/v1/webhooks",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_webhook(self, id: str, *, workspace: str | None = None) -> Webhook:
        """Read a webhook.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        answer: Webhook = self._json("GET", f"/v1/webhooks/{quoted(id)}", workspace=workspace)
        return answer

    def change_webhook(
        self,
        id: str,
        body: ChangeWebhookBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> Webhook:
        """Change, disable or enable a webhook.

        `events` is replaced as a whole: send all of them that shall stay. A read-write key of the surface
        `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: Webhook = self._json(
            "PATCH",
            f"/v1/webhooks/{quoted(id)}",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def delete_webhook(self, id: str, *, workspace: str | None = None) -> None:
        """Delete a webhook.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/webhooks/{quoted(id)}", workspace=workspace)

    def rotate_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> WebhookWithSecret:
        """Replace the secret of a webhook; both sign for 24 hours.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: WebhookWithSecret = self._json(
            "POST",
            f"/v1/webhooks/{quoted(id)}/rotate",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> WebhookDelivery:
        """Send a test event to a webhook.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: WebhookDelivery = self._json(
            "POST",
            f"/v1/webhooks/{quoted(id)}/test",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def simulate_webhook_event(
        self,
        id: str,
        body: SimulateWebhookEventBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> WebhookDelivery:
        """Send a sample of an event type to a webhook.

        The sample of the reference, signed and retried like any event, with `simulated` in its data; whether the
        webhook subscribes to the type does not matter. A read-write key of the surface `ads_manager`,
        `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: WebhookDelivery = self._json(
            "POST",
            f"/v1/webhooks/{quoted(id)}/simulate",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        status: Literal["pending", "delivered", "failed"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[WebhookDelivery]:
        """List the deliveries of a webhook of the last 30 days.

        Any key of the surface `ads_manager`, `screen_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/webhooks/{quoted(id)}/deliveries",
            query={"limit": limit, "sort": sort, "status": status},
            workspace=workspace,
        )

    def redeliver_webhook_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> WebhookDelivery:
        """Send the event of a delivery again.

        A read-write key of the surface `ads_manager`, `screen_manager` or `agency`; owner, admin or manager.
        """
        answer: WebhookDelivery = self._json(
            "POST",
            f"/v1/webhooks/{quoted(id)}/deliveries/{quoted(delivery_id)}/redeliver",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_campaign_report(
        self,
        id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        group: Literal["day", "hour"] | None = None,
        tz: str | None = None,
        daypart: str | None = None,
        venue: str | None = None,
        city: str | None = None,
        group_by: Literal["venue", "city", "creative", "hour"] | None = None,
        table: Literal["figures", "statement"] | None = None,
        workspace: str | None = None,
    ) -> CampaignReport:
        """Report of a campaign by day or hour, and by venue, city, creative or hour of the day.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: CampaignReport = self._json(
            "GET",
            f"/v1/reporting/campaigns/{quoted(id)}",
            query={"from": from_, "to": to, "group": group, "tz": tz, "daypart": daypart, "venue": venue, "city": city, "group_by": group_by, "table": table},
            workspace=workspace,
        )
        return answer

    def read_campaign_report_csv(
        self,
        id: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        group: Literal["day", "hour"] | None = None,
        tz: str | None = None,
        daypart: str | None = None,
        venue: str | None = None,
        city: str | None = None,
        group_by: Literal["venue", "city", "creative", "hour"] | None = None,
        table: Literal["figures", "statement"] | None = None,
        workspace: str | None = None,
    ) -> str:
        """Report of a campaign by day or hour, and by venue, city, creative or hour of the day.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._csv(
            "GET",
            f"/v1/reporting/campaigns/{quoted(id)}",
            query={"from": from_, "to": to, "group": group, "tz": tz, "daypart": daypart, "venue": venue, "city": city, "group_by": group_by, "table": table},
            workspace=workspace,
        )

    def read_campaigns_report(
        self,
        *,
        campaign_id: str,
        from_: str | None = None,
        to: str | None = None,
        group: Literal["day", "hour"] | None = None,
        tz: str | None = None,
        daypart: str | None = None,
        venue: str | None = None,
        city: str | None = None,
        group_by: Literal["venue", "city", "creative", "hour", "campaign"] | None = None,
        workspace: str | None = None,
    ) -> CampaignsReport:
        """Report of several campaigns in one call.

        The totals are the sums of the reports of these campaigns. Without `from` and `to` the range runs from the
        first day of the earliest to the last day of the latest. What was taken out of a campaign later
        (`adjustments`, `net`) is in its own report. Any key of the surface `ads_manager` or `agency`; every role.
        """
        answer: CampaignsReport = self._json(
            "GET",
            "/v1/reporting/campaigns",
            query={"campaign_id": campaign_id, "from": from_, "to": to, "group": group, "tz": tz, "daypart": daypart, "venue": venue, "city": city, "group_by": group_by},
            workspace=workspace,
        )
        return answer

    def read_campaigns_report_csv(
        self,
        *,
        campaign_id: str,
        from_: str | None = None,
        to: str | None = None,
        group: Literal["day", "hour"] | None = None,
        tz: str | None = None,
        daypart: str | None = None,
        venue: str | None = None,
        city: str | None = None,
        group_by: Literal["venue", "city", "creative", "hour", "campaign"] | None = None,
        workspace: str | None = None,
    ) -> str:
        """Report of several campaigns in one call.

        The totals are the sums of the reports of these campaigns. Without `from` and `to` the range runs from the
        first day of the earliest to the last day of the latest. What was taken out of a campaign later
        (`adjustments`, `net`) is in its own report. Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._csv(
            "GET",
            "/v1/reporting/campaigns",
            query={"campaign_id": campaign_id, "from": from_, "to": to, "group": group, "tz": tz, "daypart": daypart, "venue": venue, "city": city, "group_by": group_by},
            workspace=workspace,
        )

    def list_scans(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["at", "-at"] | None = None,
        campaign_id: str | None = None,
        screen: str | None = None,
        venue: str | None = None,
        creative: str | None = None,
        daypart: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        tz: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[Scan]:
        """List the scans.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/reporting/scans",
            query={"limit": limit, "sort": sort, "campaign_id": campaign_id, "screen": screen, "venue": venue, "creative": creative, "daypart": daypart, "from": from_, "to": to, "tz": tz},
            workspace=workspace,
        )

    def list_scans_csv(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["at", "-at"] | None = None,
        campaign_id: str | None = None,
        screen: str | None = None,
        venue: str | None = None,
        creative: str | None = None,
        daypart: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        tz: str | None = None,
        workspace: str | None = None,
    ) -> str:
        """List the scans.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._csv(
            "GET",
            "/v1/reporting/scans",
            query={"limit": limit, "sort": sort, "campaign_id": campaign_id, "screen": screen, "venue": venue, "creative": creative, "daypart": daypart, "from": from_, "to": to, "tz": tz},
            workspace=workspace,
        )

    def list_brand_lift(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        campaign_id: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[BrandLift]:
        """List the brand lift of campaigns.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            "/v1/reporting/brand-lift",
            query={"limit": limit, "sort": sort, "campaign_id": campaign_id},
            workspace=workspace,
        )

    def create_brand_lift_responses(
        self,
        body: CreateBrandLiftResponsesBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> BrandLiftReceipt:
        """Record survey answers about campaigns with brand lift.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
        """
        answer: BrandLiftReceipt = self._json(
            "POST",
            "/v1/reporting/brand-lift/responses",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_shared_reports(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[SharedReport]:
        """List the links to a campaign's report.

        Any key of the surface `ads_manager` or `agency`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/campaigns/{quoted(id)}/shared-reports",
            query={"limit": limit, "sort": sort},
            workspace=workspace,
        )

    def share_report(
        self,
        id: str,
        body: ShareReportBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> MadeSharedReport:
        """Share a campaign's report by a link.

        Anyone with the link reads the report of this campaign without a key, until the link ends; nothing else, and
        they change nothing. A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
        """
        answer: MadeSharedReport = self._json(
            "POST",
            f"/v1/campaigns/{quoted(id)}/shared-reports",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def end_shared_report(self, id: str, *, workspace: str | None = None) -> None:
        """End a link to a report.

        A read-write key of the surface `ads_manager` or `agency`; owner, admin or manager.
        """
        self._nothing("DELETE", f"/v1/shared-reports/{quoted(id)}", workspace=workspace)

    def read_shared_report(
        self,
        body: ReadSharedReportBody,
        *,
        idempotency_key: str | None = None,
    ) -> SharedReportShown:
        """Read a shared report.

        For the page behind the link. It changes nothing: it is a POST so that no address contains the token. An
        address reads at most 120 times a minute. Needs no key.
        """
        answer: SharedReportShown = self._json(
            "POST",
            "/v1/shared-reports/read",
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer

    def read_screens_now(self, *, screen: str | None = None, workspace: str | None = None) -> ReadScreensNowAnswer:
        """Read what screens show now, and the ads that each was given and has reported last.

        Any key of the surface `screen_manager`; every role.
        """
        answer: ReadScreensNowAnswer = self._json(
            "GET",
            "/v1/screens/now",
            query={"screen": screen},
            workspace=workspace,
        )
        return answer

    def list_screen_decisions(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["starts_at", "-starts_at"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[ScreenDecision]:
        """List how the slots of a screen were decided.

        Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did
        not get the slot. Any key of the surface `screen_manager`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/screens/{quoted(id)}/decisions",
            query={"limit": limit, "sort": sort, "from": from_, "to": to},
            workspace=workspace,
        )

    def list_campaign_decisions(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["starts_at", "-starts_at"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[CampaignDecision]:
        """List which slots a campaign got, and why it lost others.

        Slots that it got in the last 30 days; of the last 24 hours also those that it wanted and lost. A page may
        hold fewer records than asked for and still have a next one. Any key of the surface `ads_manager` or
        `agency`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/campaigns/{quoted(id)}/decisions",
            query={"limit": limit, "sort": sort, "from": from_, "to": to},
            workspace=workspace,
        )

    def list_reviews(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[Review]:
        """List the campaigns that wait for the operator.

        With what each would show, and why campaigns of its category wait for a person. Any key of the surface
        `operator`; every role.
        """
        return self._pages(
            "GET",
            "/v1/operator/reviews",
            query={"limit": limit, "sort": sort, "count": count},
            workspace=workspace,
        )

    def approve_review(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> DecidedReview:
        """Let a campaign go live that is in review.

        A read-write key of the surface `operator`; owner, admin or manager.
        """
        answer: DecidedReview = self._json(
            "POST",
            f"/v1/operator/reviews/{quoted(id)}/approve",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def reject_review(
        self,
        id: str,
        body: RejectReviewBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> DecidedReview:
        """Reject a campaign that is in review, live or paused.

        What it has not spent goes back to its wallet. Its owner reads the reason. A read-write key of the surface
        `operator`; owner, admin or manager.
        """
        answer: DecidedReview = self._json(
            "POST",
            f"/v1/operator/reviews/{quoted(id)}/reject",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_network_screens(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        status: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[NetworkScreen]:
        """List the paired screens of all workspaces.

        Any key of the surface `operator`; every role.
        """
        return self._pages(
            "GET",
            "/v1/operator/screens",
            query={"limit": limit, "sort": sort, "status": status, "q": q, "count": count},
            workspace=workspace,
        )

    def read_network_places(self, *, workspace: str | None = None) -> NetworkPlaces:
        """Read where the screens of all workspaces stand.

        Any key of the surface `operator`; every role.
        """
        answer: NetworkPlaces = self._json("GET", "/v1/operator/places", workspace=workspace)
        return answer

    def list_network_decisions(
        self,
        id: str,
        *,
        limit: int | str | None = None,
        sort: Literal["starts_at", "-starts_at"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        workspace: str | None = None,
    ) -> Iterator[NetworkDecision]:
        """List how the slots of any screen were decided.

        Winners and slots without an ad of the last 30 days; of the last 24 hours also why each other campaign did
        not get the slot. Any key of the surface `operator`; every role.
        """
        return self._pages(
            "GET",
            f"/v1/operator/screens/{quoted(id)}/decisions",
            query={"limit": limit, "sort": sort, "from": from_, "to": to},
            workspace=workspace,
        )

    def read_operations_status(self, *, workspace: str | None = None) -> OperationsStatus:
        """Read whether the installation keeps what it promises.

        What the hourly check of every invariant found, and what somebody has to look at. Any key of the surface
        `operator`; every role. Keys of the mode `live` alone.
        """
        answer: OperationsStatus = self._json("GET", "/v1/operator/status", workspace=workspace)
        return answer

    def read_hindsight(self, *, workspace: str | None = None) -> HindsightDays:
        """Read what was delivered each day beside the most that could have been.

        And why there is a difference: slots left idle or given to the wrong campaign, caps, late bookings. Any key
        of the surface `operator`; every role. Keys of the mode `live` alone.
        """
        answer: HindsightDays = self._json("GET", "/v1/operator/hindsight", workspace=workspace)
        return answer

    def read_integrations(self, *, workspace: str | None = None) -> Integrations:
        """Read which software calls the API.

        Counts of the header `X-Service-Sdk` over the last 30 days. Any key of the surface `operator`; every role.
        Keys of the mode `live` alone.
        """
        answer: Integrations = self._json("GET", "/v1/operator/integrations", workspace=workspace)
        return answer

    def list_jobs(self, *, workspace: str | None = None) -> ScheduledJobs:
        """List the scheduled jobs of the workers.

        With the last round of each, as the workers tell of it every two seconds. Any key of the surface `operator`;
        every role. Keys of the mode `live` alone.
        """
        answer: ScheduledJobs = self._json("GET", "/v1/operator/jobs", workspace=workspace)
        return answer

    def run_job(self, name: str, *, idempotency_key: str | None = None, workspace: str | None = None) -> AskedJob:
        """Have a scheduled job run now.

        A worker runs one round of it within seconds, in its turn. A job that waits for that is not asked for twice.
        A read-write key of the surface `operator`; owner, admin or manager. Keys of the mode `live` alone.
        """
        answer: AskedJob = self._json(
            "POST",
            f"/v1/operator/jobs/{quoted(name)}/run",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def read_dead_letters(self, *, workspace: str | None = None) -> DeadLetterGroups:
        """Read which events could not be processed.

        By where and why they failed. Nothing that was acknowledged is dropped: they wait here. Any key of the
        surface `operator`; every role. Keys of the mode `live` alone.
        """
        answer: DeadLetterGroups = self._json("GET", "/v1/operator/dead-letters", workspace=workspace)
        return answer

    def retry_dead_letters(
        self,
        body: RetryDeadLettersBody,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> RetriedLetters:
        """Send events again that could not be processed.

        Once what they failed on is mended. What was counted meanwhile is not counted again; what fails again waits
        again. A read-write key of the surface `operator`; owner, admin or manager. Keys of the mode `live` alone.
        """
        answer: RetriedLetters = self._json(
            "POST",
            "/v1/operator/dead-letters/retry",
            body=body,
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def list_workspaces(
        self,
        *,
        limit: int | str | None = None,
        sort: Literal["created_at", "-created_at"] | None = None,
        status: str | None = None,
        kind: str | None = None,
        q: str | None = None,
        count: Literal["true"] | None = None,
        workspace: str | None = None,
    ) -> Iterator[WorkspaceAccount]:
        """List the workspaces of the installation.

        Any key of the surface `operator`; every role. Keys of the mode `live` alone.
        """
        return self._pages(
            "GET",
            "/v1/operator/workspaces",
            query={"limit": limit, "sort": sort, "status": status, "kind": kind, "q": q, "count": count},
            workspace=workspace,
        )

    def approve_workspace(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> MovedWorkspace:
        """Approve a workspace that is in review, or open a closed one again.

        A read-write key of the surface `operator`; owner or admin. Keys of the mode `live` alone.
        """
        answer: MovedWorkspace = self._json(
            "POST",
            f"/v1/operator/workspaces/{quoted(id)}/approve",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def close_workspace(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        workspace: str | None = None,
    ) -> MovedWorkspace:
        """Close a workspace whose campaigns, screens and clients have ended.

        Its keys are refused from then on. The own workspace cannot be closed. A read-write key of the surface
        `operator`; owner or admin. Keys of the mode `live` alone.
        """
        answer: MovedWorkspace = self._json(
            "POST",
            f"/v1/operator/workspaces/{quoted(id)}/close",
            idempotency_key=idempotency_key,
            workspace=workspace,
        )
        return answer

    def receive_stripe_event(self, body: dict[str, Any], *, idempotency_key: str | None = None) -> PaymentEventReceipt:
        """Take a signed event of Stripe.

        Needs no key.
        """
        answer: PaymentEventReceipt = self._json(
            "POST",
            "/v1/payments/stripe/events",
            body=body,
            idempotency_key=idempotency_key,
        )
        return answer
