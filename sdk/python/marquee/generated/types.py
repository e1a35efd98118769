# Made from the OpenAPI document by test/api/openapi/python-client.test.ts; renew it with vitest -u.
"""The shapes of bodies and answers."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

class ProblemErrors(TypedDict):
    """One fault."""
    # JSON pointer (RFC 6901) to the field; empty for the whole body.
    pointer: str
    # What is wrong with the field, in snake case.
    code: str
    # The same for people.
    detail: str


class Problem(TypedDict):
    """Why a request was refused, as RFC 9457 has it. Programs decide by `code`."""
    # `urn:marquee:problem:` and the code.
    type: str
    # What the code means, for people.
    title: str
    # HTTP status code.
    status: int
    # What to change in this request, for people.
    detail: str
    # Code of the refusal. New ones may come; a known one keeps its meaning.
    code: Literal["malformed_json", "unknown_query_parameter", "bad_query_parameter", "repeated_header", "bad_idempotency_key", "bad_cursor", "workspace_required", "bad_signature", "missing_key", "invalid_key", "expired_key", "revoked_key", "wrong_sign_in", "second_factor_required", "wrong_code", "invalid_session", "session_ended", "cross_site_request", "no_workspace", "read_only_key", "wrong_surface", "role_forbidden", "wrong_mode", "workspace_in_review", "workspace_archived", "demo_only", "sign_up_closed", "not_found", "proof_missing", "method_not_allowed", "body_too_slow", "state_conflict", "insufficient_funds", "earnings_held", "payout_account_missing", "payout_account_changed", "payments_off", "too_many_keys", "too_many_members", "last_owner", "creative_not_ready", "sensor_not_paired", "pairing_code_used", "idempotency_in_flight", "pairing_code_expired", "invitation_ended", "upload_expired", "link_expired", "body_too_large", "unsupported_media_type", "validation_failed", "upload_rejected", "idempotency_key_reused", "payment_refused", "rate_limited", "internal_error", "engine_unavailable", "payment_provider_away"]
    # The `X-Request-Id` of this answer, req_...
    request_id: str
    # The faults of a body or a query, up to 20.
    errors: NotRequired[list[ProblemErrors]]


class VenueFiguresInForce(TypedDict):
    """What plays are decided, charged and earned by."""
    # OpenOOH venue type, dotted name.
    type: str
    # City.
    city: str
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # IANA time zone.
    timezone: str
    # Ranges by weekday; null: always open.
    opening_hours: Any
    # People who visit on a day.
    daily_visitors: int
    # Minutes that a visitor stays.
    dwell_minutes: float
    # People who can have one screen in view at once: no play counts more.
    audience_max: float


class VenueFiguresPending(TypedDict):
    # OpenOOH venue type, dotted name.
    type: NotRequired[str]
    # City.
    city: NotRequired[str]
    # Latitude in degrees.
    lat: NotRequired[float]
    # Longitude in degrees.
    lng: NotRequired[float]
    # IANA time zone.
    timezone: NotRequired[str]
    # Ranges by weekday; null: always open.
    opening_hours: NotRequired[Any]
    # People who visit on a day.
    daily_visitors: NotRequired[int]
    # Minutes that a visitor stays.
    dwell_minutes: NotRequired[float]


class VenueFiguresReviewRejection(TypedDict):
    # Why the figures were rejected.
    code: Literal["implausible", "unproven", "wrong_type", "wrong_place", "duplicate"]
    # The same as a sentence.
    detail: str


class VenueFiguresReview(TypedDict):
    # Whether the operator has decided.
    status: Literal["pending", "approved", "rejected"]
    # Why the operator was asked.
    reasons: list[Literal["type_dearer", "place_moved", "hours_widened", "audience_raised", "visitors_above_type", "dwell_above_type"]]
    # When the figures were asked for. ISO 8601, UTC.
    requested_at: str
    # When the operator decided. ISO 8601, UTC.
    decided_at: str | None
    # Of a rejected one.
    rejection: VenueFiguresReviewRejection | None


class VenueFigures(TypedDict):
    # What plays are decided, charged and earned by.
    in_force: VenueFiguresInForce
    # What was asked for and waits for the operator; the figures in force hold until then.
    pending: VenueFiguresPending | None
    # The last review of the figures; null: none was needed.
    review: VenueFiguresReview | None


class VenueVisibility(TypedDict):
    """What brands see of the venue beside its type, city and photo."""
    # Whether brands see the name; `true` by default.
    name: bool
    # How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km;
    # `hidden`: not at all. Searches and areas of campaigns compare the position shown, so a hidden venue is in none.
    coordinates: Literal["exact", "city", "hidden"]


class Venue(TypedDict):
    # ven_...
    id: str
    # Name of the venue.
    name: str
    # OpenOOH venue type, dotted name.
    type: str
    # City.
    city: str
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # IANA time zone.
    timezone: str
    # Ranges by weekday; null: always open.
    opening_hours: Any
    # People who visit on a day.
    daily_visitors: int
    # Minutes that a visitor stays.
    dwell_minutes: float
    figures: VenueFigures
    # Slugs of the categories that are never shown here.
    blocked_categories: list[str]
    # What runs on screens that have no playlist of their own; null: ads alone.
    default_playlist_id: str | None
    # What brands see of the venue beside its type, city and photo.
    visibility: VenueVisibility
    # ast_..., the picture of the place; null: none.
    photo_asset_id: str | None
    # Address of the picture; null: none.
    photo_url: str | None
    # When it was created. ISO 8601, UTC.
    created_at: str


class Money(TypedDict):
    """What it costs."""
    # Decimal amount in units of the currency.
    amount: float
    # Currency code of ISO 4217.
    currency: str


class MenuSectionsItems(TypedDict):
    # What is in it.
    description: NotRequired[str]
    # What it is called.
    name: str
    price: NotRequired[Money]
    # Short marks; what is marked `highlight` comes first on a page of highlights.
    tags: NotRequired[list[str]]


class MenuSections(TypedDict):
    # Headline of the section.
    name: str
    # What is on offer, in order.
    items: list[MenuSectionsItems]


class MenuPages(TypedDict):
    # Name of the template, for an item of a playlist.
    template: str
    # Address of the page. It shows this menu and no later one, to anyone who has the address.
    url: str


class Menu(TypedDict):
    # Headline of the page; the name of the venue by default.
    title: NotRequired[str]
    # ven_...
    venue_id: str
    # Language tag of BCP 47, such as de-AT: how prices are written. `en` by default.
    language: NotRequired[str]
    # Sections in order; at most 80 items in all.
    sections: list[MenuSections]
    # The menu as a page, by each template.
    pages: list[MenuPages]
    # When the menu was last changed. ISO 8601, UTC.
    updated_at: str


class PlaylistItems(TypedDict):
    # Kind of the item.
    type: Literal["ai_menu", "image", "creative", "sponsorship_card", "ad_slot"]
    # How the menu page looks.
    template: NotRequired[str]
    # ast_...
    asset_id: NotRequired[str]
    # cre_...
    creative_id: NotRequired[str]
    # Who is thanked.
    sponsor: NotRequired[str]
    # What else the card says.
    message: NotRequired[str]
    # How long it is shown, in milliseconds.
    duration_ms: NotRequired[int]
    # Share of the ad time among the ad slots.
    weight: NotRequired[float]
    # Of a creative. `detached`: it was deleted and is skipped; it may stay listed.
    status: NotRequired[str]


class Playlist(TypedDict):
    # pls_...
    id: str
    # Name of the playlist.
    name: str
    # `active` or `archived`.
    status: str
    # What is shown, in order.
    items: list[PlaylistItems]
    # Share of the running time that is ads; null: the screen's own.
    ad_ratio: float | None
    # Screens that are bound to it.
    screens: int
    # Number of venues of which it is the default.
    venues: int
    # When it was created. ISO 8601, UTC.
    created_at: str
    # When it was last changed. ISO 8601, UTC.
    updated_at: str


class ScreenSensor(TypedDict):
    # What is printed on the module.
    serial: str
    # When it was paired. ISO 8601, UTC.
    paired_at: str
    # Slot of the newest settled play whose audience a module attested; the `sensing` commission lasts for seven days
    # from it. ISO 8601, UTC.
    attested_at: str | None


class Screen(TypedDict):
    # scr_...
    id: str
    # ven_...
    venue_id: str
    # OpenOOH type of the venue.
    venue_type: str
    # What people call the screen.
    label: str
    # Platform of the player; null until the device has confirmed.
    platform: str | None
    # `online`: seen in the last 60 s; `paired_idle`: the device has not confirmed yet.
    status: Literal["online", "offline", "paired_idle"]
    # When the screen was last connected. ISO 8601, UTC.
    last_seen_at: str | None
    # Whether a sensing module is paired.
    sensor_paired: bool
    # The sensing module that is paired; null: none, or one that is only declared, in the sandbox.
    sensor: ScreenSensor | None
    # Share of the running time that may be ads, 0 to 1.
    ad_ratio: float
    # Playlist of the screen; null: the venue default.
    playlist_id: str | None
    # How the display stands.
    orientation: str
    # Opening hours of the venue; null: always open.
    opening_hours: Any
    # Categories never shown on this screen, besides the venue's.
    blocked_categories: list[str]
    # When it was paired. ISO 8601, UTC.
    created_at: str


HealthPeriod = TypedDict(
    "HealthPeriod",
    {
        "status": "Literal[\"online\", \"offline\"]",
        "from": "str",
        "to": "str | None",
        "seconds": "int",
    },
)


class SensorChallenge(TypedDict):
    # To be sent back with the signature; good for one pairing.
    challenge: str
    # What the module signs.
    text: str
    # Until when it is good. ISO 8601, UTC.
    expires_at: str


class CreativeRejection(TypedDict):
    # What is wrong, in snake case.
    code: str
    # The same for people, with what to change.
    detail: str


class CreativeRenditions(TypedDict):
    # The platforms whose screens play this file.
    platforms: list[Literal["android_tv", "tizen", "webos", "fire_tv", "google_tv", "windows", "linux", "browser"]]
    # Address of the file; it names the content and never changes.
    url: str
    # Size of the file in bytes.
    bytes: int


class Creative(TypedDict):
    # cre_...
    id: str
    # Name of the creative.
    name: str
    # The screens that it is made for.
    orientation: str
    # `video` or `still`; null for a draft.
    kind: str | None
    # Milliseconds.
    duration_ms: int
    # Whether AI made or changed it; screens then show a label.
    synthetic: bool
    # Name of the uploaded file; null for a draft.
    filename: str | None
    # Content type that the upload must declare and have.
    content_type: str | None
    # `awaiting_upload` until the file was checked and rendered, then `ready` or `rejected`.
    status: str
    # PUT the file here with its content type, while it is awaited; else null.
    upload_url: str | None
    # End of the upload address. ISO 8601, UTC.
    expires_at: str | None
    # When the file had come. ISO 8601, UTC.
    uploaded_at: str | None
    # The share of the check and the renditions that is done, in percent, while they go on.
    progress: int | None
    # Address of the file as it was uploaded, once ready.
    url: str | None
    # Address of a small picture of it (JPEG), once ready.
    poster_url: str | None
    # Size of the uploaded file in bytes, once checked.
    bytes: int | None
    # Why the file was rejected.
    rejection: CreativeRejection | None
    # Name of the sound that is played with a still.
    audio_filename: str | None
    # Content type that its upload must declare and have.
    audio_content_type: str | None
    # PUT the sound here while it is awaited; else null.
    audio_upload_url: str | None
    # What the screens play, once ready: the same file for platforms with the same limits.
    renditions: list[CreativeRenditions]
    # When it was created. ISO 8601, UTC.
    created_at: str


class AssetRejection(TypedDict):
    # What is wrong, in snake case.
    code: str
    # The same for people, with what to change.
    detail: str


class Asset(TypedDict):
    # ast_...
    id: str
    # Name of the asset.
    name: str
    # Name of the uploaded image.
    filename: str
    # Content type that the upload must declare and have.
    content_type: str
    # `awaiting_upload` until the file was checked and rendered, then `ready` or `rejected`.
    status: str
    # PUT the file here with its content type, while it is awaited; else null.
    upload_url: str | None
    # End of the upload address. ISO 8601, UTC.
    expires_at: str | None
    # When the file had come. ISO 8601, UTC.
    uploaded_at: str | None
    # The share of the check and the renditions that is done, in percent, while they go on.
    progress: int | None
    # Address of the file as it was uploaded, once ready.
    url: str | None
    # Address of a small picture of it (JPEG), once ready.
    poster_url: str | None
    # Size of the uploaded file in bytes, once checked.
    bytes: int | None
    # Why the file was rejected.
    rejection: AssetRejection | None
    # Address of the image as screens show it, once ready.
    play_url: str | None
    # When it was created. ISO 8601, UTC.
    created_at: str
    # When it was archived: it is in no list and nothing new shows it. ISO 8601, UTC; null: it is not.
    archived_at: str | None


class ListedCampaign(TypedDict):
    # cmp_...
    id: str
    # Name of the campaign.
    name: str
    # Slug of the category; null for a draft that has none yet.
    category: str | None
    # State of the campaign. A deleted one can be read, and changes no more.
    status: Literal["draft", "pending_review", "live", "paused", "finished", "rejected", "deleted"]
    # What may be spent in all; null for a draft without one.
    budget: Money | None
    # What was charged so far.
    spent: Money
    # The first day at 00:00:00, written as UTC; null for a draft without a schedule. Days are local to venues: at each
    # of them this one begins by its own clock (`schedule`).
    starts: str | None
    # The last day at 23:59:59, written as UTC; null for a draft without a schedule. Days are local to venues, as for
    # `starts`.
    ends: str | None
    # When it was created. ISO 8601, UTC.
    created_at: str
    # When it was deleted. ISO 8601, UTC.
    deleted_at: str | None
    # What an even delivery from the moment at which it went live, or was resumed, would have spent by now.
    expected_spend: Money


class TargetsAreas(TypedDict):
    """A circle."""
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # Radius in kilometres.
    radiusKm: float


class TargetsDaypart(TypedDict):
    """Part of the day, local to the venue; absent: all of it."""
    # HH:MM.
    start: str
    # HH:MM; before the start: on the next day.
    end: str


class Targets(TypedDict):
    """Targets as they were understood."""
    # Cities; empty: any.
    cities: NotRequired[list[str]]
    # OpenOOH venue types or parents of them; empty: any.
    venue_types: NotRequired[list[str]]
    # Circles; empty: anywhere.
    areas: NotRequired[list[TargetsAreas]]
    # Orientations of screens; absent: any.
    orientations: NotRequired[list[str]]
    # Part of the day, local to the venue; absent: all of it.
    daypart: NotRequired[TargetsDaypart]
    # Weekdays, `mon` to `sun`; absent: every day.
    days: NotRequired[list[str]]


class CreatedCampaignSchedule(TypedDict):
    """Days of the campaign, both included, local to the venue."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class CreatedCampaignFrequency(TypedDict):
    # Plays per hour.
    max_per_hour: int


class CreatedCampaignRate(TypedDict):
    # Decimal amount in units of the currency, per impression.
    amount: float
    # Currency code of ISO 4217.
    currency: str
    # What the amount is for: `impression`.
    unit: str


class CreatedCampaignForecast(TypedDict):
    # Impressions, lower end of the estimate.
    impressions_low: int
    # Impressions, upper end of the estimate.
    impressions_high: int
    # Estimated scans per impression.
    scan_rate_est: float
    # Screens that match the targets.
    screens_eligible: int


class CreatedCampaignReview(TypedDict):
    # `agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted
    # categories.
    waiting_for: Literal["agency", "rules", "operator"]


class CreatedCampaignRejection(TypedDict):
    # Why, in snake case.
    code: str
    # The same for people.
    detail: str


class CreatedCampaignCreatives(TypedDict):
    # cre_...
    id: str
    # Weight in the rotation.
    weight: int
    # State of the creative.
    status: str


class CreatedCampaignWarnings(TypedDict):
    # JSON pointer (RFC 6901) to the field.
    pointer: str
    # What may not be meant, in snake case.
    code: str
    # The same for people.
    detail: str


class CreatedCampaign(TypedDict):
    # cmp_...
    id: str
    # Name of the campaign.
    name: str
    # Slug of the category; null for a draft that has none yet.
    category: str | None
    # State of the campaign. A deleted one can be read, and changes no more.
    status: Literal["draft", "pending_review", "live", "paused", "finished", "rejected", "deleted"]
    # What may be spent in all; null for a draft without one.
    budget: Money | None
    # What was charged so far.
    spent: Money
    # The first day at 00:00:00, written as UTC; null for a draft without a schedule. Days are local to venues: at each
    # of them this one begins by its own clock (`schedule`).
    starts: str | None
    # The last day at 23:59:59, written as UTC; null for a draft without a schedule. Days are local to venues, as for
    # `starts`.
    ends: str | None
    # When it was created. ISO 8601, UTC.
    created_at: str
    # When it was deleted. ISO 8601, UTC.
    deleted_at: str | None
    # Days of the campaign, both included, local to the venue; null for a draft that has none yet.
    schedule: CreatedCampaignSchedule | None
    targets: Targets
    # Where a scan leads.
    landing_url: str | None
    # Whether brand lift is measured.
    brand_lift: bool
    # Cap per screen.
    frequency: CreatedCampaignFrequency | None
    # Mean price per impression; null for a draft without a forecast.
    rate: CreatedCampaignRate | None
    # What the plan was expected to reach when it was made; null for a draft without a budget or a schedule.
    forecast: CreatedCampaignForecast | None
    # For whom the campaign waits; null unless it is in review.
    review: CreatedCampaignReview | None
    # What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end.
    refund_pending: Money
    # Why review rejected it.
    rejection: CreatedCampaignRejection | None
    # Creatives in rotation.
    creatives: list[CreatedCampaignCreatives]
    # What is allowed but may not be meant.
    warnings: list[CreatedCampaignWarnings]


class CampaignDetailSchedule(TypedDict):
    """Days of the campaign, both included, local to the venue."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class CampaignDetailFrequency(TypedDict):
    # Plays per hour.
    max_per_hour: int


class CampaignDetailRate(TypedDict):
    # Decimal amount in units of the currency, per impression.
    amount: float
    # Currency code of ISO 4217.
    currency: str
    # What the amount is for: `impression`.
    unit: str


class CampaignDetailForecast(TypedDict):
    # Impressions, lower end of the estimate.
    impressions_low: int
    # Impressions, upper end of the estimate.
    impressions_high: int
    # Estimated scans per impression.
    scan_rate_est: float
    # Screens that match the targets.
    screens_eligible: int


class CampaignDetailReview(TypedDict):
    # `agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted
    # categories.
    waiting_for: Literal["agency", "rules", "operator"]


class CampaignDetailRejection(TypedDict):
    # Why, in snake case.
    code: str
    # The same for people.
    detail: str


class CampaignDetailCreatives(TypedDict):
    # cre_...
    id: str
    # Weight in the rotation.
    weight: int
    # State of the creative.
    status: str
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int


class CampaignDetailCounters(TypedDict):
    """What was delivered so far."""
    # Counted plays.
    plays: int
    # Impressions of them.
    impressions: int
    # Scans.
    scans: int
    # Plays that were recorded and not charged: reported too late, or while the screen was showing another one.
    late_plays: int
    # Price of the counted plays.
    spend: Money
    # Screens on which it played.
    screens_used: int


class CampaignDetailPacingToday(TypedDict):
    # YYYY-MM-DDTHH:00, UTC.
    hour: str
    # What an even delivery spends in this hour, until now in the one that has begun.
    expected_spend: Money
    # What was spent in it.
    actual_spend: Money


class CampaignDetailPacing(TypedDict):
    """Spend against an even delivery."""
    # What an even delivery from the moment at which it went live, or was resumed, would have spent by now.
    expected_spend: Money
    # What was spent.
    actual_spend: Money
    # Actual over expected; null before anything is expected.
    ratio: float | None
    # The hours of today (UTC) that have begun.
    today: list[CampaignDetailPacingToday]


class CampaignDetail(TypedDict):
    # cmp_...
    id: str
    # Name of the campaign.
    name: str
    # Slug of the category; null for a draft that has none yet.
    category: str | None
    # State of the campaign. A deleted one can be read, and changes no more.
    status: Literal["draft", "pending_review", "live", "paused", "finished", "rejected", "deleted"]
    # What may be spent in all; null for a draft without one.
    budget: Money | None
    # What was charged so far.
    spent: Money
    # The first day at 00:00:00, written as UTC; null for a draft without a schedule. Days are local to venues: at each
    # of them this one begins by its own clock (`schedule`).
    starts: str | None
    # The last day at 23:59:59, written as UTC; null for a draft without a schedule. Days are local to venues, as for
    # `starts`.
    ends: str | None
    # When it was created. ISO 8601, UTC.
    created_at: str
    # When it was deleted. ISO 8601, UTC.
    deleted_at: str | None
    # Days of the campaign, both included, local to the venue; null for a draft that has none yet.
    schedule: CampaignDetailSchedule | None
    targets: Targets
    # Where a scan leads.
    landing_url: str | None
    # Whether brand lift is measured.
    brand_lift: bool
    # Cap per screen.
    frequency: CampaignDetailFrequency | None
    # Mean price per impression; null for a draft without a forecast.
    rate: CampaignDetailRate | None
    # What the plan was expected to reach when it was made; null for a draft without a budget or a schedule.
    forecast: CampaignDetailForecast | None
    # For whom the campaign waits; null unless it is in review.
    review: CampaignDetailReview | None
    # What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end.
    refund_pending: Money
    # Why review rejected it.
    rejection: CampaignDetailRejection | None
    # Creatives with their delivery.
    creatives: list[CampaignDetailCreatives]
    # What was delivered so far.
    counters: CampaignDetailCounters
    # Spend against an even delivery.
    pacing: CampaignDetailPacing


class CampaignSchedule(TypedDict):
    """Days of the campaign, both included, local to the venue."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class CampaignFrequency(TypedDict):
    # Plays per hour.
    max_per_hour: int


class CampaignRate(TypedDict):
    # Decimal amount in units of the currency, per impression.
    amount: float
    # Currency code of ISO 4217.
    currency: str
    # What the amount is for: `impression`.
    unit: str


class CampaignForecast(TypedDict):
    # Impressions, lower end of the estimate.
    impressions_low: int
    # Impressions, upper end of the estimate.
    impressions_high: int
    # Estimated scans per impression.
    scan_rate_est: float
    # Screens that match the targets.
    screens_eligible: int


class CampaignReview(TypedDict):
    # `agency`: its approval; `rules`: the automatic review, a matter of seconds; `operator`: a person, for restricted
    # categories.
    waiting_for: Literal["agency", "rules", "operator"]


class CampaignRejection(TypedDict):
    # Why, in snake case.
    code: str
    # The same for people.
    detail: str


class CampaignCreatives(TypedDict):
    # cre_...
    id: str
    # Weight in the rotation.
    weight: int
    # State of the creative.
    status: str


class Campaign(TypedDict):
    # cmp_...
    id: str
    # Name of the campaign.
    name: str
    # Slug of the category; null for a draft that has none yet.
    category: str | None
    # State of the campaign. A deleted one can be read, and changes no more.
    status: Literal["draft", "pending_review", "live", "paused", "finished", "rejected", "deleted"]
    # What may be spent in all; null for a draft without one.
    budget: Money | None
    # What was charged so far.
    spent: Money
    # The first day at 00:00:00, written as UTC; null for a draft without a schedule. Days are local to venues: at each
    # of them this one begins by its own clock (`schedule`).
    starts: str | None
    # The last day at 23:59:59, written as UTC; null for a draft without a schedule. Days are local to venues, as for
    # `starts`.
    ends: str | None
    # When it was created. ISO 8601, UTC.
    created_at: str
    # When it was deleted. ISO 8601, UTC.
    deleted_at: str | None
    # Days of the campaign, both included, local to the venue; null for a draft that has none yet.
    schedule: CampaignSchedule | None
    targets: Targets
    # Where a scan leads.
    landing_url: str | None
    # Whether brand lift is measured.
    brand_lift: bool
    # Cap per screen.
    frequency: CampaignFrequency | None
    # Mean price per impression; null for a draft without a forecast.
    rate: CampaignRate | None
    # What the plan was expected to reach when it was made; null for a draft without a budget or a schedule.
    forecast: CampaignForecast | None
    # For whom the campaign waits; null unless it is in review.
    review: CampaignReview | None
    # What shall not be spent any more and is still reserved for plays on their way: charged, or refunded as they end.
    refund_pending: Money
    # Why review rejected it.
    rejection: CampaignRejection | None
    # Creatives in rotation.
    creatives: list[CampaignCreatives]


class CampaignResultsByDay(TypedDict):
    # YYYY-MM-DD, in `tz`.
    day: str
    # Counted plays.
    plays: int
    # Impressions of them.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class CampaignResultsByHour(TypedDict):
    # YYYY-MM-DDTHH:00, in `tz`.
    hour: str
    # Counted plays.
    plays: int
    # Impressions of them.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class CampaignResultsByScreen(TypedDict):
    # scr_...
    screen_id: str
    # ven_...
    venue_id: str
    # Counted plays.
    plays: int
    # Impressions of them.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class CampaignResultsInvalidPlays(TypedDict):
    # Name of the rule that decided as the play was counted, such as `late`; `invalid_traffic` for plays that were
    # charged and taken out by an adjustment.
    reason: str
    # Number of plays.
    plays: int


class CampaignResultsAdjustments(TypedDict):
    # When they were taken out, and their price was credited to the wallet. ISO 8601, UTC.
    at: str
    # What was found invalid: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.
    concerns: Literal["plays", "audience", "times", "scans"]
    # Number of plays that were taken out.
    plays: int
    # Impressions of them.
    impressions: int
    # Price at which they were charged.
    spend: Money


class CampaignResults(TypedDict):
    # cmp_...
    campaign_id: str
    # Days on which something happened, in order.
    by_day: list[CampaignResultsByDay]
    # Hours in which something happened, in order; of the last 31 days of the range that have begun.
    by_hour: list[CampaignResultsByHour]
    # Screens, by plays; the first 10,000.
    by_screen: list[CampaignResultsByScreen]
    # Plays of the range that are not valid, by reason; those of `invalid_traffic` are in the other figures and in
    # `adjustments`, the others in no other figure but `late_plays`.
    invalid_plays: list[CampaignResultsInvalidPlays]
    # Plays of the range that were charged and taken out later, oldest first. They stay in all other figures; `net` is
    # without them.
    adjustments: list[CampaignResultsAdjustments]
    # Every play acknowledged before this moment is in the results. It may step back when the queue of plays was lost,
    # until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC.
    as_of: str
    # Time zone of days and hours.
    tz: str


class Category(TypedDict):
    # Number in IAB Ad Product 2.0.
    id: str
    # How answers name it.
    slug: str
    # Name for people.
    name: str
    # `restricted`: a person reviews the campaign; `prohibited`: it is rejected.
    policy: Literal["allowed", "restricted", "prohibited"]
    # Why it is not simply allowed; null where it is.
    reason: str | None


class VenueType(TypedDict):
    # How targets and venues name it, dotted.
    name: str
    # Name of the type that it is one of; null at the top.
    parent: str | None


class City(TypedDict):
    # As most of its venues write it; targets are compared without case and accents.
    name: str
    # Number of venues with a paired screen.
    venues: int
    # Number of paired screens.
    screens: int


class ForecastPacing(TypedDict):
    # YYYY-MM-DD, local to the venue.
    date: str
    # Impressions of the day.
    impressions_est: int


class ForecastWarnings(TypedDict):
    # JSON pointer (RFC 6901) to the field.
    pointer: str
    # What may not be meant, in snake case.
    code: str
    # The same for people.
    detail: str


class Forecast(TypedDict):
    # Mean price per impression, before an agency's discount.
    rate: Money
    # Impressions at the lower end of the 90% band.
    impressions_low: int
    # Impressions at the upper end of the 90% band.
    impressions_high: int
    # Chance that screens can take the whole budget, 0 to 1.
    fill_probability: float
    # Estimated scans per impression.
    scan_rate_est: float
    # Screens that match now.
    screens_eligible: int
    # Daily pacing curve.
    pacing: list[ForecastPacing]
    # What is allowed but may not be meant.
    warnings: list[ForecastWarnings]


class AreaForecastWarnings(TypedDict):
    # JSON pointer (RFC 6901) to the field.
    pointer: str
    # What may not be meant, in snake case.
    code: str
    # The same for people.
    detail: str


class AreaForecast(TypedDict):
    # Screens that match now.
    screens: int
    # Plays that the budget buys.
    plays: int
    # Impressions of them.
    impressions: int
    # Impressions at the lower end of the 90% band.
    impressions_low: int
    # Impressions at the upper end of the 90% band.
    impressions_high: int
    # Chance that screens can take the whole budget, 0 to 1.
    fill_probability: float
    # What they cost, at most the budget.
    cost: Money
    # What is allowed but may not be meant.
    warnings: list[AreaForecastWarnings]


class PlaceCoordinates(TypedDict):
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # `city`: to a tenth of a degree, some 10 km.
    precision: Literal["exact", "city"]


class Place(TypedDict):
    # ven_...
    venue_id: str
    # Name of the venue; null where it does not show it.
    name: str | None
    # OpenOOH venue type, dotted name.
    type: str
    # City.
    city: str
    # IANA time zone.
    timezone: str
    # Its position, as exactly as it shows it; null if it shows none.
    coordinates: PlaceCoordinates | None
    # Address of a picture of the place; null: there is none.
    photo_url: str | None
    # Different screens there that showed the campaign.
    screens: int
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class InventoryPlaceCoordinates(TypedDict):
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # `city`: to a tenth of a degree, some 10 km.
    precision: Literal["exact", "city"]


class InventoryPlaceAudience(TypedDict):
    """Who is there."""
    # People who visit on a day.
    daily_visitors: int
    # Minutes that a visitor stays.
    dwell_minutes: float
    # People whom a play of 15 s reaches, as a mean while the place is open; it counts as so many impressions.
    per_play: float


class InventoryPlacePrice(TypedDict):
    """What it costs."""
    # A thousand impressions, by the rate card; before an agency's discount.
    cpm: Money
    # A play of 15 s: its impressions at that rate.
    per_play: Money


class InventoryPlaceAvailability(TypedDict):
    """What is left in these days, as forecasts count."""
    # First day, YYYY-MM-DD.
    start: str
    # Last day, YYYY-MM-DD.
    end: str
    # Plays of 15 s that are forecast and that nobody has booked.
    plays: int
    # Impressions of them.
    impressions: int
    # Part of what is forecast that is left, 0 to 1.
    share: float


class InventoryPlace(TypedDict):
    # ven_...
    venue_id: str
    # Name of the venue; null where it does not show it.
    name: str | None
    # OpenOOH venue type, dotted name.
    type: str
    # City.
    city: str
    # IANA time zone.
    timezone: str
    # Its position, as exactly as it shows it; null if it shows none.
    coordinates: InventoryPlaceCoordinates | None
    # Address of a picture of the place; null: there is none.
    photo_url: str | None
    # Ranges by weekday; null: always open.
    opening_hours: Any
    # Paired screens.
    screens: int
    # Orientations of the screens: `landscape`, `portrait`.
    orientations: list[str]
    # Slugs of the categories that are never shown here.
    blocked_categories: list[str]
    # Who is there.
    audience: InventoryPlaceAudience
    # What it costs.
    price: InventoryPlacePrice
    # What is left in these days, as forecasts count.
    availability: InventoryPlaceAvailability


class TopUp(TypedDict):
    """Money that was asked for."""
    # top_...
    id: str
    # What was asked for.
    amount: Money
    # `pending` until the money has come; then `credited`. `cancelled`: it was called off before.
    status: Literal["pending", "credited", "cancelled"]
    # When it was asked for. ISO 8601, UTC.
    created_at: str
    # When the money was put on the wallet, ISO 8601 in UTC; null before.
    credited_at: str | None
    # When it was canceled, ISO 8601 in UTC; null unless it was.
    cancelled_at: str | None


class Wallet(TypedDict):
    # What may still be reserved by campaigns.
    balance: Money
    # What campaigns hold and have not spent.
    reserved: Money
    # The part of it that shall not be spent any more, of campaigns that were cut, have ended or were deleted: charged,
    # or refunded as plays on their way end.
    refund_pending: Money
    # `live`, or `sandbox` for the play money of test keys.
    book: str
    # Money that was asked for and has not come yet, oldest first.
    pending_top_ups: list[TopUp]


class MoneyChange(TypedDict):
    """What it changed the balance of the wallet by; 0 for a charge."""
    # Decimal amount in units of the currency, below 0 where it becomes less.
    amount: float
    # Currency code of ISO 4217.
    currency: str


class WalletTransactionRefersTo(TypedDict):
    # `campaign`, `top_up` or `workspace`.
    type: str
    # Id of the record.
    id: str
    # Name of the campaign or the workspace; null for a top-up, which has none.
    name: str | None


class WalletTransaction(TypedDict):
    """A movement of money on the ledger, as the owner of the wallet sees it."""
    # txn_...
    id: str
    # `top_up`: money came. `top_up_refunded`: it went back to where it came from. `reserve`: set aside for a campaign.
    # `refund`: a campaign gave back what it will not spend. `charge`: plays were paid out of what was set aside.
    # `discount`: of an agency, on charges. `credit`: for plays that were taken out. `transfer`: between an agency and
    # its client.
    kind: Literal["top_up", "top_up_refunded", "reserve", "refund", "charge", "discount", "credit", "transfer"]
    # When it was booked. ISO 8601, UTC.
    at: str
    balance_change: MoneyChange
    # What it changed the money by that campaigns hold.
    reserved_change: MoneyChange
    # Null for a charge, which does not touch the balance.
    balance_after: Money | None
    # The campaign that it is about, the top-up that was paid, or the workspace on the other side of a transfer. Null
    # for money that the operator booked, which may credit several top-ups.
    refers_to: WalletTransactionRefersTo | None


class ToppedUpWallet(TypedDict):
    # What may still be reserved by campaigns.
    balance: Money
    # What campaigns hold and have not spent.
    reserved: Money
    # The part of it that shall not be spent any more, of campaigns that were cut, have ended or were deleted: charged,
    # or refunded as plays on their way end.
    refund_pending: Money
    # `live`, or `sandbox` for the play money of test keys.
    book: str
    # Money that was asked for and has not come yet, oldest first.
    pending_top_ups: list[TopUp]
    top_up: TopUp


class Checkout(TypedDict):
    """A page on which a top-up is paid."""
    # top_...
    top_up_id: str
    # The page of the payment provider on which the top-up is paid. Anyone who has its address may pay.
    url: str
    # When the page ends; ask for another one then. ISO 8601, UTC.
    expires_at: str


class SignedMoney(TypedDict):
    """Charges, to the micro-unit as on the ledger."""
    # Decimal amount in units of the currency, below 0 too.
    amount: float
    # Currency code of ISO 4217.
    currency: str


class InvoiceVat(TypedDict):
    """The VAT of a document. It has one category and one rate."""
    # Category of EN 16931. `S`: standard rate; `AE`: reverse charge; `E`: exempt; `G`: zero-rated export; `O`: outside
    # the scope of VAT.
    category: Literal["S", "AE", "E", "G", "O"]
    # Rate as a share of 100, as 19 for 19%; 0 except for `S`.
    rate: float
    # Why there is no VAT, a code of VATEX.
    exemption_code: str | None
    # The same in words; null for `S`.
    exemption_reason: str | None
    # What VAT is due on: `total`.
    taxable: SignedMoney
    # The VAT, in whole minor units.
    amount: SignedMoney
    # `taxable` and `amount`.
    total_with_vat: SignedMoney
    # What the wallet paid of it: the net amount.
    prepaid: SignedMoney
    # What is left to pay: the VAT.
    due: SignedMoney


class Invoice(TypedDict):
    """The charges of a month, or what of earlier charges was credited in it."""
    # inv_...
    id: str
    # Number of the document; numbers of a year run without gaps, over invoices and credit notes. Those of a sandbox are
    # a series of their own: `TEST-2037-000001`.
    number: str
    # `invoice`: the charges of the month. `credit_note`: what was credited to the wallet in the month for plays that
    # were charged and taken out; its amounts are below zero, and nothing is to be paid.
    kind: Literal["invoice", "credit_note"]
    # Month of the charges, YYYY-MM, by the time of settlement in UTC; in a sandbox by that of the plays; of a credit
    # note the month of the credits.
    period: str
    # `issued`, then `paid`; a credit note is `paid` as it is issued. Test invoices stay `issued`.
    status: Literal["issued", "paid"]
    # Whether it holds clients of an agency that are billed through it.
    consolidated: bool
    gross: SignedMoney
    # Discounts on them, to the micro-unit as on the ledger.
    discount: SignedMoney
    # Charges less discounts, to the micro-unit.
    net: SignedMoney
    # What the total differs by from `net`, because money is paid in whole minor units.
    rounding: SignedMoney
    # The net amount in whole minor units of the currency, without VAT.
    total: SignedMoney
    # VAT of the document; null if the seller lacked tax details when it was issued.
    vat: InvoiceVat | None
    # When it was issued; in a sandbox by its clock. ISO 8601, UTC.
    issued_at: str
    # By when it is to be paid. YYYY-MM-DD.
    due_on: str
    # When it was paid, ISO 8601 in UTC; null before.
    paid_at: str | None
    # Signed address of the PDF; needs no key.
    pdf_url: str
    # End of that address, 24 hours after this answer. ISO 8601, UTC.
    pdf_expires_at: str


class InvoiceLine(TypedDict):
    """The charges of one campaign, or what of them was credited."""
    # Workspace of the campaign, ws_...
    client_id: str
    # Its name when the invoice was issued.
    client_name: str
    # cmp_...
    campaign_id: str
    # Name of the campaign when the invoice was issued.
    campaign_name: str
    # Number of plays that were charged.
    plays: int
    # Number of their impressions.
    impressions: int
    # Charges, to the micro-unit.
    gross: SignedMoney
    # Discounts, to the micro-unit.
    discount: SignedMoney
    # Charges less discounts, to the micro-unit.
    net: SignedMoney
    # Of a credit note: numbers of the invoices of the campaign from the month of the first play on; else empty.
    corrects: list[str]


class InvoiceProof(TypedDict):
    """What `marquee-verify` checks the plays and totals of a document against."""
    # SHA-256 root of the Merkle-sum tree over the plays, in hex.
    root: str
    # Number of plays in the tree.
    plays: int
    # Sum of their impressions, in thousandths.
    impressions_thousandths: int
    # Charge of these plays in micro-units of the currency: `gross` without its sign.
    micros: int
    # `kid` of the key in `GET /v1/proof-keys`.
    key_id: str
    # Ed25519 signature of totals and root, in base64url.
    signature: str
    # When it was signed. ISO 8601, UTC.
    signed_at: str


class InvoiceDetail(TypedDict):
    # inv_...
    id: str
    # Number of the document; numbers of a year run without gaps, over invoices and credit notes. Those of a sandbox are
    # a series of their own: `TEST-2037-000001`.
    number: str
    # `invoice`: the charges of the month. `credit_note`: what was credited to the wallet in the month for plays that
    # were charged and taken out; its amounts are below zero, and nothing is to be paid.
    kind: Literal["invoice", "credit_note"]
    # Month of the charges, YYYY-MM, by the time of settlement in UTC; in a sandbox by that of the plays; of a credit
    # note the month of the credits.
    period: str
    # `issued`, then `paid`; a credit note is `paid` as it is issued. Test invoices stay `issued`.
    status: Literal["issued", "paid"]
    # Whether it holds clients of an agency that are billed through it.
    consolidated: bool
    gross: SignedMoney
    # Discounts on them, to the micro-unit as on the ledger.
    discount: SignedMoney
    # Charges less discounts, to the micro-unit.
    net: SignedMoney
    # What the total differs by from `net`, because money is paid in whole minor units.
    rounding: SignedMoney
    # The net amount in whole minor units of the currency, without VAT.
    total: SignedMoney
    # VAT of the document; null if the seller lacked tax details when it was issued.
    vat: InvoiceVat | None
    # When it was issued; in a sandbox by its clock. ISO 8601, UTC.
    issued_at: str
    # By when it is to be paid. YYYY-MM-DD.
    due_on: str
    # When it was paid, ISO 8601 in UTC; null before.
    paid_at: str | None
    # Signed address of the PDF; needs no key.
    pdf_url: str
    # End of that address, 24 hours after this answer. ISO 8601, UTC.
    pdf_expires_at: str
    # One line per campaign.
    lines: list[InvoiceLine]
    # Signed root over the plays; null for minutes after the issue, on test invoices, and on documents of versions
    # without proofs.
    proof: InvoiceProof | None


class ProofKey(TypedDict):
    """A public key that verifies proofs of invoices."""
    # Kind of key.
    kty: str
    # Curve.
    crv: str
    # The 32 bytes of the key, in base64url.
    x: str
    # Its name: the thumbprint of RFC 7638.
    kid: str
    # It verifies signatures.
    use: str
    # Algorithm of the signatures.
    alg: str
    # When it was made. ISO 8601, UTC.
    created_at: str


class PayoutAccount(TypedDict):
    """Where payouts go."""
    # Name of the holder.
    holder: str
    # The IBAN with all but its country and its last four characters starred out.
    iban_masked: str
    # Code of the bank, or null.
    bic: str | None
    # When it was set. ISO 8601, UTC.
    set_at: str
    # From when on earnings can be withdrawn to it: at once for a first account, later for one that took the place of
    # another. ISO 8601, UTC.
    usable_from: str


class PayoutMoney(TypedDict):
    """What brands were charged for them, before any discount (gross)."""
    # Decimal amount in units of the currency.
    value: float
    # Currency code of ISO 4217.
    currency: str


class EarningsRow(TypedDict):
    """What was earned on a day, by a screen, by a venue or of a category, in one currency."""
    # What the row is about: YYYY-MM-DD, scr_..., ven_... or the name of a category. Null for earnings from before
    # screens and categories were kept.
    key: str | None
    # Label of the screen or name of the venue; null for others.
    name: str | None
    # Currency of the campaigns and so of the earnings, ISO 4217.
    currency: str
    # Number of plays that were settled and not taken out.
    plays: int
    # Number of their impressions.
    impressions: int
    ad_revenue: PayoutMoney
    # The share of the venue. It is `available`, `held` and `withdrawn` together.
    earnings: PayoutMoney
    # The part that may be withdrawn now.
    available: PayoutMoney
    # The part that may not be withdrawn yet.
    held: PayoutMoney
    # The part that was withdrawn. Of a day that was withdrawn in part, each screen and category shares it in
    # proportion.
    withdrawn: PayoutMoney
    # What went back since, because plays were found invalid. It is in none of the others.
    reversed: PayoutMoney


class EarningsListTotals(TypedDict):
    """The sum of all rows of all pages, in one currency."""
    # Currency of the campaigns and so of the earnings, ISO 4217.
    currency: str
    # Number of plays that were settled and not taken out.
    plays: int
    # Number of their impressions.
    impressions: int
    ad_revenue: PayoutMoney
    # The share of the venue. It is `available`, `held` and `withdrawn` together.
    earnings: PayoutMoney
    # The part that may be withdrawn now.
    available: PayoutMoney
    # The part that may not be withdrawn yet.
    held: PayoutMoney
    # The part that was withdrawn. Of a day that was withdrawn in part, each screen and category shares it in
    # proportion.
    withdrawn: PayoutMoney
    # What went back since, because plays were found invalid. It is in none of the others.
    reversed: PayoutMoney


class EarningsListNotSettled(TypedDict):
    """Plays whose share is not booked yet."""
    # Currency of the campaigns, ISO 4217.
    currency: str
    # Number of plays that are counted and not settled.
    plays: int
    # What brands will be charged for them.
    ad_revenue: PayoutMoney


EarningsList = TypedDict(
    "EarningsList",
    {
        "data": "list[EarningsRow]",
        "has_more": "bool",
        "next_cursor": "str | None",
        "total": "NotRequired[int]",
        "from": "str",
        "to": "str",
        "group_by": "Literal[\"day\", \"screen\", \"venue\", \"category\"]",
        "totals": "list[EarningsListTotals]",
        "not_settled": "list[EarningsListNotSettled]",
        "as_of": "str",
    },
)


class EarnedPlay(TypedDict):
    """A play at a venue and what it earned. The category stands for its campaign, as in decisions of a screen."""
    # ply_...; names the play to the operator. It is not the id that the screen reports.
    play_id: str
    # When its slot began. ISO 8601, UTC.
    starts_at: str
    # ven_...
    venue_id: str
    # scr_...
    screen_id: str
    # Label of the screen as it is now; null for one that is no longer known.
    screen_label: str | None
    # Category of the campaign; null for one that is no longer known.
    category: str | None
    # `settled`: its share is booked. `not_settled`: it will be. `not_charged`: it was reported too late or found not to
    # count, and earns nothing. `taken_out`: its share went back because it was found invalid.
    state: Literal["settled", "not_settled", "not_charged", "taken_out"]
    # Impressions of the play, in decimals: they are counted in thousandths.
    impressions: float
    # What the brand was charged, before any discount; 0 where it was not charged.
    price: PayoutMoney
    # Which commission applied. Null unless it was settled, and where the commission changed to and fro on that day so
    # that it cannot be told for one play.
    commission_tier: Literal["sensing", "full_audience", "scaled_audience", "minimum"] | None
    # Share of the ad revenue, a fraction from 0 to 0.5; null as the tier is.
    commission_rate: float | None
    # The share of the venue; null as the tier is.
    earnings: PayoutMoney | None


class EarnedPlaysList(TypedDict):
    # The records of this page; newest first, unless `sort` says otherwise.
    data: list[EarnedPlay]
    # Whether more records follow.
    has_more: bool
    # Pass it as `cursor` for the next page; null on the last one.
    next_cursor: str | None
    # How many records all pages hold, where `count=true` asked for it.
    total: NotRequired[int]
    # Every play acknowledged before this moment is in the list. It may step back when the queue of plays was lost,
    # until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC.
    as_of: str


class Statement(TypedDict):
    """What was earned and withdrawn in a month, to the millionth as on the ledger."""
    # Month of the bookings, YYYY-MM, by their time in UTC.
    month: str
    # Currency, ISO 4217. Each has a statement of its own.
    currency: str
    # Whether nothing more can be booked in the month: it ended an hour ago.
    is_final: bool
    # Earnings that were booked before the month and not withdrawn.
    opening_balance: PayoutMoney
    # What was booked as earned in the month.
    earnings: PayoutMoney
    # What went back in the month, because plays were found invalid.
    adjustments: PayoutMoney
    # What was withdrawn in the month, sending fees included.
    withdrawals: PayoutMoney
    # What came back in the month from withdrawals that the bank could not pay.
    returned: PayoutMoney
    # `opening_balance` and `earnings` and `returned`, less `adjustments` and `withdrawals`.
    closing_balance: PayoutMoney
    # Signed address of the statement as a PDF; needs no key.
    pdf_url: str
    # End of that address, 24 hours after this answer. ISO 8601, UTC.
    pdf_expires_at: str


class StatementScreen(TypedDict):
    """What a screen earned at a venue."""
    # scr_...; null for earnings from before screens were kept.
    screen_id: str | None
    # Label of the screen.
    screen_label: str | None
    # Its venue, ven_...; null with the screen.
    venue_id: str | None
    # Name of the venue.
    venue_name: str | None
    # Number of plays; null with the screen.
    plays: int | None
    # Number of impressions; null with the screen.
    impressions: int | None
    # What brands were charged; null with the screen.
    ad_revenue: PayoutMoney | None
    # What was booked as earned.
    earnings: PayoutMoney


class StatementDetailAdjustmentLines(TypedDict):
    """Earnings that went back."""
    # When it was booked. ISO 8601, UTC.
    at: str
    # Why, fnd_...; see `GET /payouts/holds`.
    finding_id: str
    # What went back.
    reversed: PayoutMoney


class StatementDetailWithdrawalLines(TypedDict):
    """A withdrawal."""
    # pay_...
    payout_id: str
    # When it was asked for. ISO 8601, UTC.
    at: str
    # How it stands now.
    status: Literal["issued", "paid", "failed"]
    # What left the earnings.
    amount: PayoutMoney
    # The part of it that sending cost.
    sending_fee: PayoutMoney


class StatementDetailReturnedLines(TypedDict):
    """A withdrawal that failed."""
    # pay_...
    payout_id: str
    # When it came back. ISO 8601, UTC.
    at: str
    # What came back.
    amount: PayoutMoney


class StatementDetail(TypedDict):
    # Month of the bookings, YYYY-MM, by their time in UTC.
    month: str
    # Currency, ISO 4217. Each has a statement of its own.
    currency: str
    # Whether nothing more can be booked in the month: it ended an hour ago.
    is_final: bool
    # Earnings that were booked before the month and not withdrawn.
    opening_balance: PayoutMoney
    # What was booked as earned in the month.
    earnings: PayoutMoney
    # What went back in the month, because plays were found invalid.
    adjustments: PayoutMoney
    # What was withdrawn in the month, sending fees included.
    withdrawals: PayoutMoney
    # What came back in the month from withdrawals that the bank could not pay.
    returned: PayoutMoney
    # `opening_balance` and `earnings` and `returned`, less `adjustments` and `withdrawals`.
    closing_balance: PayoutMoney
    # Signed address of the statement as a PDF; needs no key.
    pdf_url: str
    # End of that address, 24 hours after this answer. ISO 8601, UTC.
    pdf_expires_at: str
    # What `earnings` is made of, by venue and screen.
    by_screen: list[StatementScreen]
    # What `adjustments` is made of, oldest first.
    adjustment_lines: list[StatementDetailAdjustmentLines]
    # What `withdrawals` is made of, oldest first.
    withdrawal_lines: list[StatementDetailWithdrawalLines]
    # What `returned` is made of, oldest first.
    returned_lines: list[StatementDetailReturnedLines]


class PayoutVenues(TypedDict):
    # ven_...
    venue_id: str
    # What the venue earned of it.
    earnings: PayoutMoney


class PayoutGrossToNet(TypedDict):
    """From the ad revenue to the money at the bank."""
    # What brands were charged for the plays, before any discount.
    ad_revenue: PayoutMoney
    # What the platform keeps of it.
    platform_share: PayoutMoney
    # What the venues earned: the amount withdrawn.
    earnings: PayoutMoney
    # What sending it costs; free above a limit.
    sending_fee: PayoutMoney
    # What arrives at the bank.
    paid_out: PayoutMoney


class Payout(TypedDict):
    """A withdrawal of earnings."""
    # pay_...
    id: str
    # Month in which it was issued, YYYY-MM, UTC.
    period: str
    # `issued` until the bank has answered; then `paid`, or `failed`: the money is back in the earnings.
    status: Literal["issued", "paid", "failed"]
    # What was withdrawn from the earnings.
    amount: PayoutMoney
    # When it was asked for. ISO 8601, UTC.
    issued_at: str
    # When the bank paid it, ISO 8601 in UTC; null unless it is paid.
    paid_at: str | None
    # When the bank refused it, ISO 8601 in UTC; null unless it failed.
    failed_at: str | None
    # Number of venues that earned it.
    venues_count: int
    # The venues that earned it, most first; the first 100.
    venues: list[PayoutVenues]
    # From the ad revenue to the money at the bank.
    gross_to_net: PayoutGrossToNet


class PayoutLineItem(TypedDict):
    """What one venue earned under one commission."""
    # ven_...
    venue_id: str
    # Name of the venue.
    venue_name: str
    # Which commission applied: with a sensing module, or by visitors and dwell without one.
    commission_tier: Literal["sensing", "full_audience", "scaled_audience", "minimum"]
    # Share of the ad revenue, a fraction from 0 to 0.5.
    commission_rate: float
    # First day of the plays, local to the venue. YYYY-MM-DD.
    first_day: str
    # Last day of the plays, local to the venue. YYYY-MM-DD.
    last_day: str
    # Number of plays.
    plays: int
    # Number of impressions.
    impressions: int
    # What brands were charged for the plays.
    ad_revenue: PayoutMoney
    # What the venue earned of it.
    earnings: PayoutMoney


class SelfBilledInvoiceVat(TypedDict):
    """The VAT of the document."""
    # Category of EN 16931, as on invoices.
    category: Literal["S", "AE", "E", "G", "O"]
    # Rate as a share of 100, as 19 for 19%; 0 except for `S`.
    rate: float
    # Why there is no VAT; null for `S`.
    exemption_reason: str | None
    # The VAT on `amount`, in whole minor units. The operator pays it apart from the payout.
    amount: PayoutMoney


class SelfBilledInvoice(TypedDict):
    """The invoice that the operator issued in the workspace's name, which the workspace has agreed to."""
    # Number of the document; numbers of a year run without gaps.
    number: str
    # When it was issued: when the bank had paid the payout. ISO 8601, UTC.
    issued_at: str
    # The VAT of the document.
    vat: SelfBilledInvoiceVat


class PayoutDetailVenues(TypedDict):
    # ven_...
    venue_id: str
    # What the venue earned of it.
    earnings: PayoutMoney


class PayoutDetailGrossToNet(TypedDict):
    """From the ad revenue to the money at the bank."""
    # What brands were charged for the plays, before any discount.
    ad_revenue: PayoutMoney
    # What the platform keeps of it.
    platform_share: PayoutMoney
    # What the venues earned: the amount withdrawn.
    earnings: PayoutMoney
    # What sending it costs; free above a limit.
    sending_fee: PayoutMoney
    # What arrives at the bank.
    paid_out: PayoutMoney


class PayoutDetail(TypedDict):
    # pay_...
    id: str
    # Month in which it was issued, YYYY-MM, UTC.
    period: str
    # `issued` until the bank has answered; then `paid`, or `failed`: the money is back in the earnings.
    status: Literal["issued", "paid", "failed"]
    # What was withdrawn from the earnings.
    amount: PayoutMoney
    # When it was asked for. ISO 8601, UTC.
    issued_at: str
    # When the bank paid it, ISO 8601 in UTC; null unless it is paid.
    paid_at: str | None
    # When the bank refused it, ISO 8601 in UTC; null unless it failed.
    failed_at: str | None
    # Number of venues that earned it.
    venues_count: int
    # The venues that earned it, most first; the first 100.
    venues: list[PayoutDetailVenues]
    # From the ad revenue to the money at the bank.
    gross_to_net: PayoutDetailGrossToNet
    # By venue and commission.
    line_items: list[PayoutLineItem]
    # Its self-billed invoice; null before it is paid, and without an agreement.
    self_billed_invoice: SelfBilledInvoice | None


class EarningsBalanceBalances(TypedDict):
    # Earnings that may be withdrawn.
    available: PayoutMoney
    # Earnings that may not be withdrawn yet: their plays were settled a few days ago, or are under review.
    held: PayoutMoney
    # The part of `held` that waits for a decision of the operator; see `GET /payouts/holds`.
    under_review: PayoutMoney
    # When the next part of what is held can be withdrawn, ISO 8601 in UTC; null where nothing waits for a time.
    next_release_at: str | None
    # On its way to the bank, fees excepted.
    in_transit: PayoutMoney
    # What a withdrawal of up to `free_above` is charged in this currency.
    fee: PayoutMoney


class EarningsBalance(TypedDict):
    """What may be withdrawn."""
    # One entry per currency in which something was earned.
    balances: list[EarningsBalanceBalances]
    # Decimal amount in units of the currency that is withdrawn: withdrawals above it cost nothing.
    free_above: float
    # What others cost, as the operator has set it: decimal amount in units of the currency that is withdrawn. In whole
    # minor units, as it is charged, it is the `fee` of each balance.
    fee: float


EarningsHold = TypedDict(
    "EarningsHold",
    {
        "id": "str",
        "status": "Literal[\"under_review\", \"released\", \"upheld\"]",
        "concerns": "Literal[\"plays\", \"audience\", \"times\", \"scans\"]",
        "venue_id": "str",
        "screen_id": "str | None",
        "from": "str",
        "to": "str",
        "held": "list[PayoutMoney]",
        "reversed": "list[PayoutMoney]",
        "raised_at": "str",
        "decided_at": "str | None",
    },
)


class Branding(TypedDict):
    """How documents look."""
    # Name at the head of documents.
    display_name: NotRequired[str]
    # Color of headings, #rrggbb.
    accent_color: NotRequired[str]
    # A line at the foot of documents.
    footer: NotRequired[str]


class BillingDetails(TypedDict):
    """To whom invoices are addressed."""
    # Name of the company that is billed.
    legal_name: str
    # Postal address, line by line.
    address_lines: list[str]
    # Tax number of the company.
    tax_id: NotRequired[str]
    # City of the address.
    city: NotRequired[str]
    # Postal code of the address.
    postal_code: NotRequired[str]
    # Country of the address, ISO 3166. It decides the VAT.
    country: NotRequired[str]
    # VAT id with the prefix of the country: `EL` for Greece, `XI` for Northern Ireland.
    vat_id: NotRequired[str]
    # Why the company charges no VAT itself, as printed on self-billed documents.
    vat_exemption: NotRequired[str]


class Seat(TypedDict):
    """A person of the workspace."""
    # Address of the person.
    email: str
    # What the person may do in this workspace.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]


class ClientWallet(TypedDict):
    """Its own wallet."""
    # What campaigns may still reserve.
    balance: Money


class Client(TypedDict):
    """A client workspace of an agency."""
    # ws_...
    id: str
    # Name of the client.
    name: str
    # Currency of its wallet and campaigns, ISO 4217.
    currency: str
    # Its own wallet.
    wallet: ClientWallet
    # Charges of this month (UTC; in a sandbox by its clock), before discounts.
    mtd_spend: Money
    # Share of the next charge that comes back, a fraction from 0 to 0.3: volume of the month, slot fill, case study.
    discount_tier: float
    # `pass-through`: the client is billed; `agency-billed`: its charges are on the agency's invoice. Null for the
    # agency itself.
    billing_model: Literal["pass-through", "agency-billed"] | None
    # Its branding, or that of the agency.
    branding: Branding | None
    # To whom its invoices are addressed; null: to its name.
    billing_details: BillingDetails | None
    # Whether its campaigns wait for the agency before review.
    approval: Literal["none", "agency"]
    # Number of years (hours and days aside) that audit entries are kept.
    audit_retention_years: int
    # Fields that it has from the agency.
    inherited: list[Literal["branding", "approval", "audit_retention_years"]]
    # Whether it lends itself to a case study, which adds to its discount.
    case_study: bool
    # People of the workspace.
    seats: list[Seat]
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it was archived: it can be read, and nothing in it changes. ISO 8601, UTC; null: it is not.
    archived_at: str | None


class Transfer(TypedDict):
    """Money moved between the wallets of an agency and its client."""
    # trf_...
    id: str
    # ws_...
    client_id: str
    # From the agency to the client, or back.
    direction: Literal["to_client", "to_agency"]
    # What was moved.
    amount: Money
    # On the agency's wallet after it.
    agency_balance: Money
    # On the client's wallet after it.
    client_balance: Money
    # When it was moved. ISO 8601, UTC.
    created_at: str


class ApprovalClient(TypedDict):
    """Whose campaign it is."""
    # ws_...
    id: str
    # Name of the client.
    name: str


class ApprovalSchedule(TypedDict):
    """When it shall run; days of each venue."""
    # First day, YYYY-MM-DD.
    starts: str
    # Last day, YYYY-MM-DD.
    ends: str


class Approval(TypedDict):
    """A campaign of a client that waits for the approval of its agency."""
    # cmp_...
    campaign_id: str
    # Name of the campaign.
    name: str
    # Whose campaign it is.
    client: ApprovalClient
    # Category of the campaign.
    category: str
    # What it may spend, set aside on the wallet of the client.
    budget: Money
    # When it shall run; days of each venue.
    schedule: ApprovalSchedule
    # When the campaign was made. ISO 8601, UTC.
    created_at: str


class AgencyReportTotals(TypedDict):
    """Of all rows."""
    # Charges, to the micro-unit as on the ledger.
    platform_cost: Money
    # Discounts on them, to the micro-unit as on the ledger.
    discount: Money
    # Charges less discounts.
    net_cost: Money


class AgencyReportByClient(TypedDict):
    # ws_...
    client_id: str
    # Name of the client.
    client_name: str
    # Platform cost, decimal amount in units of the currency.
    spend: float
    # Discount on it, decimal amount in units of the currency.
    discount: float
    # Platform cost less discount, decimal amount in units of the currency.
    net_cost: float
    # Number of plays.
    plays: int
    # Number of impressions.
    impressions: int


class AgencyReportByRegion(TypedDict):
    # City of the venues.
    region: str
    # Platform cost, decimal amount in units of the currency.
    spend: float
    # Discount on it, decimal amount in units of the currency.
    discount: float
    # Platform cost less discount, decimal amount in units of the currency.
    net_cost: float
    # Number of plays.
    plays: int
    # Number of impressions.
    impressions: int


class AgencyReportByDaypart(TypedDict):
    # morning, midday, afternoon, evening or night at the venue.
    daypart: str
    # Platform cost, decimal amount in units of the currency.
    spend: float
    # Discount on it, decimal amount in units of the currency.
    discount: float
    # Platform cost less discount, decimal amount in units of the currency.
    net_cost: float
    # Number of plays.
    plays: int
    # Number of impressions.
    impressions: int


class AgencyReportByCampaign(TypedDict):
    # cmp_...
    campaign_id: str
    # Name of the campaign.
    campaign_name: str
    # ws_...
    client_id: str
    # Platform cost, decimal amount in units of the currency.
    spend: float
    # Discount on it, decimal amount in units of the currency.
    discount: float
    # Platform cost less discount, decimal amount in units of the currency.
    net_cost: float
    # Number of plays.
    plays: int
    # Number of impressions.
    impressions: int


AgencyReport = TypedDict(
    "AgencyReport",
    {
        "from": "str",
        "to": "str",
        "group": "Literal[\"client\", \"region\", \"daypart\", \"campaign\"]",
        "currency": "str",
        "other_currencies": "list[str]",
        "totals": "AgencyReportTotals",
        "by_client": "NotRequired[list[AgencyReportByClient]]",
        "by_region": "NotRequired[list[AgencyReportByRegion]]",
        "by_daypart": "NotRequired[list[AgencyReportByDaypart]]",
        "by_campaign": "NotRequired[list[AgencyReportByCampaign]]",
    },
)


class KeyUser(TypedDict):
    """Whose permissions the key acts with."""
    # usr_...
    id: str
    # Address of the person.
    email: str
    # Role that the person has now; the key acts with it.
    role: str


class KeyLimits(TypedDict):
    """How often the key may call."""
    # Calls per minute.
    per_minute: int
    # Calls per second.
    per_second: int


class Key(TypedDict):
    # key_...
    id: str
    # What people call the key; may be empty.
    name: str
    # The first characters of the key and its last four.
    display: str
    # What the key reaches: `ads_manager`, `screen_manager`, `agency` or `operator`.
    surface: str
    # `read_write` or `read_only`.
    access: str
    # `live` or `test`.
    mode: str
    # Whose permissions the key acts with.
    user: KeyUser
    # Who made it for that person, usr_...; null where the person did, or the operator.
    made_by_id: str | None
    # How often the key may call.
    limits: KeyLimits
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it expires, 90 days after it was made; sooner for a key that was rotated. ISO 8601, UTC.
    expires_at: str


class CreatedKeyUser(TypedDict):
    """Whose permissions the key acts with."""
    # usr_...
    id: str
    # Address of the person.
    email: str
    # Role that the person has now; the key acts with it.
    role: str


class CreatedKeyLimits(TypedDict):
    """How often the key may call."""
    # Calls per minute.
    per_minute: int
    # Calls per second.
    per_second: int


class CreatedKey(TypedDict):
    # key_...
    id: str
    # What people call the key; may be empty.
    name: str
    # The first characters of the key and its last four.
    display: str
    # What the key reaches: `ads_manager`, `screen_manager`, `agency` or `operator`.
    surface: str
    # `read_write` or `read_only`.
    access: str
    # `live` or `test`.
    mode: str
    # Whose permissions the key acts with.
    user: CreatedKeyUser
    # Who made it for that person, usr_...; null where the person did, or the operator.
    made_by_id: str | None
    # How often the key may call.
    limits: CreatedKeyLimits
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it expires, 90 days after it was made; sooner for a key that was rotated. ISO 8601, UTC.
    expires_at: str
    # The key itself. It is shown here only, and not kept.
    key: str


class Workspace(TypedDict):
    """A workspace: its records, its money and its people."""
    # ws_...
    id: str
    # Name of the workspace.
    name: str
    # Whose it is.
    kind: Literal["brand", "venue", "agency", "operator"]
    # `in_review` until the operator has approved a workspace that somebody signed up for; then `active`. No key of a
    # `closed` one is good.
    status: Literal["in_review", "active", "closed"]
    # Currency of its wallet, ISO 4217.
    currency: str


class Permission(TypedDict):
    """What this key may do with one kind of record."""
    # What the calls are about.
    resource: Literal["campaigns", "creatives", "assets", "forecasts", "inventory", "reporting", "invoices", "wallet", "keys", "me", "members", "sessions", "alerts", "webhooks", "audit", "screens", "pairing", "venues", "menus", "playlists", "payouts", "catalogue", "sandbox", "agency", "reviews", "network", "workspaces", "operations"]
    # Whether this key may read it.
    read: bool
    # Whether this key may change it.
    write: bool


class OwnWorkspace(TypedDict):
    """A workspace of the person."""
    # ws_...
    id: str
    # Name of the workspace.
    name: str
    # Whose it is.
    kind: Literal["brand", "venue", "agency", "operator"]
    # `in_review` until the operator has approved a workspace that somebody signed up for; then `active`. No key of a
    # `closed` one is good.
    status: Literal["in_review", "active", "closed"]
    # Currency of its wallet, ISO 4217.
    currency: str
    # usr_..., of the person there.
    user_id: str
    # Role of the person there.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]


class MePerson(TypedDict):
    """Whom the key belongs to, or who is signed in."""
    # per_..., the same in all workspaces of the person.
    id: str
    # usr_..., of the person in one workspace; the actor of audit entries.
    user_id: str
    # Address of the person.
    email: str
    # What the person is called; empty where nobody said.
    name: str


class Me(TypedDict):
    """Who calls, and what that key or session may do."""
    # Whom the key belongs to, or who is signed in.
    person: MePerson
    workspace: Workspace
    # What the person may do here; an agency acts on its clients with the role that the person has at home.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]
    # What the key or the session reaches.
    surface: Literal["ads_manager", "screen_manager", "agency", "operator"]
    # `read_only` may call only GET.
    access: Literal["read_write", "read_only"]
    # `test` acts on the sandbox.
    mode: Literal["live", "test"]
    # The key that calls; null for a session.
    key: Key | None
    # What surface, access and role allow together; one entry per kind of record.
    permissions: list[Permission]
    # Where the person has a seat: the oldest first, at most 200. Only the one of the key, where somebody else made it
    # for the person.
    workspaces: list[OwnWorkspace]


class AlertsQuietHours(TypedDict):
    # From when on no mail is sent. HH:MM in `timezone`.
    start: str
    # When mails that waited are sent. An end before the start is on the next day. HH:MM in `timezone`.
    end: str


class AlertsAlerts(TypedDict):
    """How each alert is sent. Those that the role may not read are absent."""
    # A screen, or every screen of a venue, was offline for `offline_minutes` of opening hours.
    screen_offline: NotRequired[Literal["off", "at_once", "daily"]]
    # A live campaign has spent `behind_percent` less than an even delivery would have; told once.
    campaign_behind: NotRequired[Literal["off", "at_once", "daily"]]
    # A campaign has reached the end of its schedule or budget.
    campaign_finished: NotRequired[Literal["off", "at_once", "daily"]]
    # The checks rejected the file of a creative.
    creative_rejected: NotRequired[Literal["off", "at_once", "daily"]]
    # The wallet is below `wallet_below`; told once after each top-up.
    wallet_low: NotRequired[Literal["off", "at_once", "daily"]]
    # The bank did not accept a payout.
    payout_failed: NotRequired[Literal["off", "at_once", "daily"]]
    # A live API key of the workspace expires within `key_days`.
    key_expiring: NotRequired[Literal["off", "at_once", "daily"]]


class Alerts(TypedDict):
    """Which alerts the caller gets by mail about this workspace."""
    # Language of the mails.
    language: Literal["en", "de"]
    # IANA time zone of the times here and in mails.
    timezone: str
    # Hours without mail, every day; null: none.
    quiet_hours: AlertsQuietHours | None
    # When the daily digest is sent. HH:MM in `timezone`.
    digest_at: str
    # Minutes of opening hours after which an offline screen is an alert.
    offline_minutes: int
    # How far behind an even delivery a campaign must be: a share in percent.
    behind_percent: int
    # Balance below which the wallet is an alert, in units of the currency of the workspace.
    wallet_below: float
    # The number of days before a key expires.
    key_days: int
    # How each alert is sent. Those that the role may not read are absent.
    alerts: AlertsAlerts
    # Where the mails go: the address of the person.
    email: str
    # Whether this installation has a mail server; without one nothing is sent.
    sends_mail: bool


class Session(TypedDict):
    """A browser in which the person is signed in."""
    # ses_...
    id: str
    # The browser, as it calls itself (`User-Agent`); may be empty.
    device: str
    # When the person signed in. ISO 8601, UTC.
    created_at: str
    # When it was used last, to the minute. It ends an hour later. ISO 8601, UTC.
    last_used_at: str
    # When it ends in any case, 24 hours after it was made. ISO 8601, UTC.
    ends_at: str
    # Whether this call was made with it.
    is_current: bool


class SignedInPerson(TypedDict):
    """Who signed in."""
    # per_...
    id: str
    # Address that signs the person in.
    email: str
    # What the person is called; empty where nobody said.
    name: str


class SignedIn(TypedDict):
    """Who signed in, and where they may work. The token is in the cookie."""
    # Who signed in.
    person: SignedInPerson
    session: Session
    # Where the person works: the oldest first, at most 200. `X-Workspace-Id` names one of them.
    workspaces: list[OwnWorkspace]


class SignInOptions(TypedDict):
    # Whether an OpenID provider signs people in, at `/console/oidc/start`, beside address and password.
    oidc: bool
    # Kinds of workspaces that `POST /v1/sign-up` creates; empty: it is closed.
    sign_up: list[Literal["brand", "venue"]]


class SecondFactor(TypedDict):
    # Since when sign-ins ask for a code. ISO 8601, UTC.
    since: str
    # Number of recovery codes that were not used yet.
    recovery_codes_left: int


class AccountIdentity(TypedDict):
    # The provider.
    issuer: str
    # The address of the account as it was linked; may be empty.
    email: str
    # When it was linked. ISO 8601, UTC.
    linked_at: str


class Account(TypedDict):
    """The person who is signed in."""
    # per_..., the same in all workspaces of the person.
    id: str
    # Address that signs the person in.
    email: str
    # What the person is called; empty where nobody said.
    name: str
    # Whether the address signs in with a password.
    has_password: bool
    # The account of an OpenID provider that signs the person in; null: none does.
    identity: AccountIdentity | None
    # What sign-ins ask for beside the password; null: nothing.
    second_factor: SecondFactor | None


class BegunSecondFactor(TypedDict):
    # For an authenticator app, in base32. It is shown here only.
    secret: str
    # The same as an `otpauth://` address, for a picture that the app reads.
    url: str


class RecoveryCodes(TypedDict):
    # Each signs in once in place of a code of the app. They are shown here only.
    recovery_codes: list[str]


class BegunLink(TypedDict):
    # Where the browser goes: to the provider, which leads it back.
    url: str


class Member(TypedDict):
    """A person of a workspace."""
    # usr_..., of this person in this workspace.
    id: str
    # Address under which the person was named or invited.
    email: str
    # What the person is called; empty where nobody said.
    name: str
    # What the person may do in this workspace.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]
    # When the person first became a member. ISO 8601, UTC.
    joined_at: str


class InvitationInvitedBy(TypedDict):
    """Who invited."""
    # usr_...
    id: str
    # Address of the person.
    email: str


class Invitation(TypedDict):
    # ivt_...
    id: str
    # Address of the person who is invited.
    email: str
    # Role that the person will have.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]
    # `open` until it is accepted, revoked or has expired.
    status: Literal["open", "accepted", "revoked", "expired"]
    # Who invited.
    invited_by: InvitationInvitedBy
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it ends unless it is accepted, 7 days after it was made. ISO 8601, UTC.
    expires_at: str


class MadeInvitationInvitedBy(TypedDict):
    """Who invited."""
    # usr_...
    id: str
    # Address of the person.
    email: str


class MadeInvitationMail(TypedDict):
    """What came of the mail with the link."""
    # `sent`: the mail server took it. `failed`: it did not go. `unknown`: it may have gone. `off`: no mail is sent
    # here, or not by a workspace that is in review. But for `sent`, hand the link over yourself.
    state: Literal["sent", "failed", "unknown", "off"]
    # `refused`: the mail server does not take the address or the mail. `unreachable`: it is not reached, or lets this
    # installation not in. `late`: it took too long. `busy`: too many mails are under way, or were sent within an hour
    # by this workspace or to this address.
    problem: Literal["refused", "unreachable", "late", "busy"] | None


class MadeInvitation(TypedDict):
    # ivt_...
    id: str
    # Address of the person who is invited.
    email: str
    # Role that the person will have.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]
    # `open` until it is accepted, revoked or has expired.
    status: Literal["open", "accepted", "revoked", "expired"]
    # Who invited.
    invited_by: MadeInvitationInvitedBy
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it ends unless it is accepted, 7 days after it was made. ISO 8601, UTC.
    expires_at: str
    # Link to the page of the console that accepts it, to be handed over in place of the token.
    url: str
    # What the person accepts with, `invite_...`. It is shown here only, and not kept.
    token: str
    # What came of the mail with the link.
    mail: MadeInvitationMail


class PreviewedInvitation(TypedDict):
    # Address of the person who is invited.
    email: str
    # Role that the person will have.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]
    # When it ends unless it is accepted, 7 days after it was made. ISO 8601, UTC.
    expires_at: str
    workspace: Workspace
    # Whether the address has a password already, which is then the one to accept with.
    signs_in: bool


class AcceptedInvitation(TypedDict):
    workspace: Workspace
    member: Member
    # A key of the member; null where a password was given.
    key: CreatedKey | None


class SimulatedScreen(TypedDict):
    """A screen without a device, which plays when the clock of its sandbox is moved."""
    # scr_...
    id: str
    # ven_..., of the place that was made with it.
    venue_id: str
    # OpenOOH venue type, dotted name.
    venue_type: str
    # City.
    city: str
    # IANA time zone.
    timezone: str
    # Name of the screen.
    label: str
    # How it stands.
    orientation: Literal["landscape", "portrait"]
    # Share of the running time that may be ads, 0 to 1.
    ad_ratio: float
    # When it was made. ISO 8601, UTC.
    created_at: str


class SimulatedVenue(TypedDict):
    """The place in which they stand, made with them."""
    # OpenOOH venue type: dotted name, string value or id.
    type: str
    # City, as people write it.
    city: str
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # IANA time zone, such as Europe/Berlin; in any case, and answered by its name.
    timezone: str
    # People who visit on a day.
    daily_visitors: int
    # Minutes that a visitor stays.
    dwell_minutes: float
    # Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open.
    opening_hours: NotRequired[Any]


class AddedScreens(TypedDict):
    # The screens that were made.
    data: list[SimulatedScreen]


class SandboxClock(TypedDict):
    """The clock of the sandbox."""
    # What time it is in the sandbox: where its clock was moved to, or now, whatever is later. ISO 8601, UTC.
    now: str
    # `advancing` until every play of the time is counted, charged and in the reports.
    status: Literal["ready", "advancing"]
    # The time to which it moves, ISO 8601, UTC; null while it does not.
    target: str | None
    # Plays of the last advance so far.
    plays: int
    # Why the last advance ended before its target; null: it did not. Advance again from there.
    stopped_by: Literal["plays_max"] | None


class AuditEntryActor(TypedDict):
    """Who did it."""
    # `user`, `operator`, `system` or `device`.
    type: str
    # usr_... of a person; else the same as the type.
    id: str
    # Address of the person at that time; null for others.
    email: str | None


class AuditEntryEntity(TypedDict):
    """What it was done to."""
    # Kind of the record.
    type: str
    # Id of the record; null where a list was called.
    id: str | None


class AuditEntryCall(TypedDict):
    """The call itself, of entries whose call changed nothing."""
    # HTTP method.
    method: str
    # Path and query, up to 500 characters.
    path: str
    # HTTP status of the answer.
    status: int
    # Code of the refusal; null for none.
    code: str | None
    # X-Request-Id of the answer.
    request_id: str


AuditEntryDiff = TypedDict(
    "AuditEntryDiff",
    {
        "from": "Any",
        "to": "Any",
    },
)


class AuditEntry(TypedDict):
    # aud_...
    id: str
    # When it happened. ISO 8601, UTC.
    at: str
    # Who did it.
    actor: AuditEntryActor
    # `<entity>.<verb>`, such as `campaign.paused`. Of calls that changed nothing: `.read`, `.called` or `.refused`;
    # `audit.incomplete` says how many of them are not in the log.
    action: str
    # What it was done to.
    entity: AuditEntryEntity
    # The way it came: `API` with a key, `CLI` by the operator, `SYSTEM` by itself, `DEVICE` by a screen.
    source: Literal["API", "CLI", "SYSTEM", "DEVICE"]
    # Address of the caller, if there was one.
    ip: str | None
    # Software of the caller, as it names itself.
    user_agent: str | None
    # The call itself, of entries whose call changed nothing.
    call: NotRequired[AuditEntryCall]
    # What changed, by field; empty for a call that changed nothing.
    diff: dict[str, AuditEntryDiff]


class CreatedAuditExport(TypedDict):
    # exp_...; ask for its state at /v1/audit/export/{job_id}.
    job_id: str


class AuditExportError(TypedDict):
    """Why it failed, or failed the last time before it is tried again."""
    # Such as `destination_refused`, `destination_unreachable`, `address_forbidden` or `log_unavailable`.
    code: str
    # A sentence for people.
    detail: str


class AuditExport(TypedDict):
    # exp_...
    job_id: str
    # `queued` also while it waits to be tried again.
    status: Literal["queued", "running", "succeeded", "failed"]
    # Entries written so far.
    rows: int
    # Link to the CSV, for a `signed_url` that has succeeded; for 24 hours from its end.
    url: NotRequired[str]
    # End of the link. ISO 8601, UTC.
    expires_at: NotRequired[str]
    # Why it failed, or failed the last time before it is tried again.
    error: NotRequired[AuditExportError]


class Webhook(TypedDict):
    # whk_...
    id: str
    # Address of the receiver.
    url: str
    # Event types that are sent.
    events: list[str]
    # `disabled` by a caller, or after 24 attempts in a row that were answered 4xx.
    status: Literal["active", "disabled"]
    # When it was disabled; null while it is active.
    disabled_at: str | None
    # `requested` by a caller, or `client_errors`; null while it is active.
    disabled_reason: Literal["requested", "client_errors"] | None
    # Attempts in a row that were answered 4xx.
    client_errors: int
    # Until when the secret before the last rotation signs as well; null when there is none.
    previous_secret_expires_at: str | None
    # When it was made. ISO 8601, UTC.
    created_at: str


class WebhookWithSecret(TypedDict):
    # whk_...
    id: str
    # Address of the receiver.
    url: str
    # Event types that are sent.
    events: list[str]
    # `disabled` by a caller, or after 24 attempts in a row that were answered 4xx.
    status: Literal["active", "disabled"]
    # When it was disabled; null while it is active.
    disabled_at: str | None
    # `requested` by a caller, or `client_errors`; null while it is active.
    disabled_reason: Literal["requested", "client_errors"] | None
    # Attempts in a row that were answered 4xx.
    client_errors: int
    # Until when the secret before the last rotation signs as well; null when there is none.
    previous_secret_expires_at: str | None
    # When it was made. ISO 8601, UTC.
    created_at: str
    # whsec_...: the key of the signatures. It is shown here only.
    secret: str


class WebhookDeliveryEvent(TypedDict):
    """What is delivered."""
    # evt_...: the same in every attempt and redelivery.
    id: str
    # Type of the event.
    type: str


class WebhookDeliveryAttempts(TypedDict):
    """One attempt."""
    # When it was sent. ISO 8601, UTC.
    at: str
    # HTTP status of the answer; null without one.
    status: int | None
    # Why there was no answer, such as `timeout`, `connection_failed` or `address_forbidden`.
    error: str | None
    # Time of the exchange in milliseconds.
    duration_ms: int


class WebhookDelivery(TypedDict):
    # whd_...
    id: str
    # What is delivered.
    event: WebhookDeliveryEvent
    # `pending` until an attempt is answered 2xx, or the last one has failed.
    status: Literal["pending", "delivered", "failed"]
    # Why it was given up: `attempts_used_up`, `endpoint_disabled` or `endpoint_deleted`.
    failure: str | None
    # Every attempt, the first one first; 9 at most.
    attempts: list[WebhookDeliveryAttempts]
    # When it is tried next; null when it is not, or when the first attempt is due now.
    next_attempt_at: str | None
    # When it was put in line. ISO 8601, UTC.
    created_at: str


class ReportGroup(TypedDict):
    # By venue: ven_...
    venue_id: NotRequired[str]
    # By creative: cre_...
    creative_id: NotRequired[str]
    # By campaign: cmp_...
    campaign_id: NotRequired[str]
    # By hour: the hour of the day in `tz`, HH:00.
    hour: NotRequired[str]
    # Name of the venue, creative or campaign; null where a venue does not show it to brands.
    name: NotRequired[str | None]
    # By venue: its OpenOOH type.
    type: NotRequired[str | None]
    # By venue and city: the city.
    city: NotRequired[str | None]
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class CampaignReportTotals(TypedDict):
    """Sums over the range."""
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Scans per impression.
    scan_rate: float
    # Price of the counted plays.
    spend: Money
    # Different screens that showed it.
    screens: int


class CampaignReportSeries(TypedDict):
    # YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`.
    bucket: str
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class CampaignReportInvalidPlays(TypedDict):
    # Name of the rule that decided as the play was counted, such as `late`; `invalid_traffic` for plays that were
    # charged and taken out by an adjustment.
    reason: str
    # Number of plays.
    plays: int


class CampaignReportAdjustments(TypedDict):
    # When they were taken out, and their price was credited to the wallet. ISO 8601, UTC.
    at: str
    # What was found invalid: the number of `plays`, the `audience` that was counted, the `times` of plays, or `scans`.
    concerns: Literal["plays", "audience", "times", "scans"]
    # Number of plays that were taken out.
    plays: int
    # Impressions of them.
    impressions: int
    # Price at which they were charged.
    spend: Money


class CampaignReportNet(TypedDict):
    """The totals less the adjustments."""
    # Counted plays.
    plays: int
    # Impressions of them.
    impressions: int
    # Price of them.
    spend: Money


class CampaignReportPlaysNotCounted(TypedDict):
    # Name of the rule, such as `too_short` or `overlap`; `before_end` may be reported again and then counts.
    reason: str
    # Number of reports. A play that was reported twice is twice in it.
    plays: int


class CampaignReportScansNotCounted(TypedDict):
    # Name of the rule, such as `scan_repeat`.
    reason: str
    # Number of scans.
    scans: int


class CampaignReport(TypedDict):
    # cmp_...
    campaign_id: str
    # Sums over the range.
    totals: CampaignReportTotals
    # Buckets in order; those of the past in which nothing happened are there with zeros.
    series: list[CampaignReportSeries]
    # What `groups` are, where it was asked for.
    group_by: NotRequired[Literal["venue", "city", "creative", "hour", "campaign"]]
    # The figures of the range by `group_by`: those with most plays first, at most 10000; hours in their order. What
    # nothing happened in is left out. Plays, scans and spend add up to the totals; impressions are rounded for each.
    groups: NotRequired[list[ReportGroup]]
    # Plays that were recorded and not charged: reported too late, or while the screen was showing another one; in none
    # of the other figures.
    late_plays: int
    # Plays of the range that are not valid, by reason; those of `invalid_traffic` are in the other figures and in
    # `adjustments`, the others in no other figure but `late_plays`.
    invalid_plays: list[CampaignReportInvalidPlays]
    # Plays of the range that were charged and taken out later, oldest first. They stay in all other figures; `net` is
    # without them.
    adjustments: list[CampaignReportAdjustments]
    # The totals less the adjustments.
    net: CampaignReportNet
    # Reports of plays that were refused as they came, by rule. Of a flood, or of a process that was killed, some may be
    # missing.
    plays_not_counted: list[CampaignReportPlaysNotCounted]
    # Scans that were led on to the landing page and not counted, by rule. Of a flood, or of a process that was killed,
    # some may be missing.
    scans_not_counted: list[CampaignReportScansNotCounted]
    # Every play acknowledged before this moment is in the report. It may step back when the queue of plays was lost,
    # until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC.
    as_of: str
    # Whether the figures of this range can no longer change (late_plays, scans, and what is shown beside them:
    # invalid_plays, adjustments, net and what was not counted, excepted). It becomes true when the range is over by a
    # minute, no play of the campaign is out that could still be reported and charged, and each counted play is in the
    # report and charged.
    is_final: bool
    # Time zone of the buckets.
    tz: str


class CampaignsReportTotals(TypedDict):
    """Sums over the range."""
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Scans per impression.
    scan_rate: float
    # Price of the counted plays.
    spend: Money
    # Different screens that showed any of them, each counted once.
    screens: int


class CampaignsReportCampaigns(TypedDict):
    # cmp_...
    campaign_id: str
    # Name of the campaign.
    name: str
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money
    # Plays of it that were recorded and not charged.
    late_plays: int


class CampaignsReportSeries(TypedDict):
    # YYYY-MM-DD, or YYYY-MM-DDTHH:00, in `tz`.
    bucket: str
    # Counted plays.
    plays: int
    # Impressions.
    impressions: int
    # Scans.
    scans: int
    # Price of the counted plays.
    spend: Money


class CampaignsReport(TypedDict):
    # Sums over the range.
    totals: CampaignsReportTotals
    # What the totals are the sums of, newest campaign first; the figures of each are the totals of its own report of
    # the same range.
    campaigns: list[CampaignsReportCampaigns]
    # Buckets in order; those of the past in which nothing happened are there with zeros.
    series: list[CampaignsReportSeries]
    # What `groups` are, where it was asked for.
    group_by: NotRequired[Literal["venue", "city", "creative", "hour", "campaign"]]
    # The figures of the range by `group_by`: those with most plays first, at most 10000; hours in their order. What
    # nothing happened in is left out. Plays, scans and spend add up to the totals; impressions are rounded for each.
    groups: NotRequired[list[ReportGroup]]
    # Plays that were recorded and not charged; in none of the other figures.
    late_plays: int
    # Every play acknowledged before this moment is in the report. It may step back when the queue of plays was lost,
    # until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC.
    as_of: str
    # Whether the figures of this range can no longer change, for every campaign.
    is_final: bool
    # Time zone of the buckets.
    tz: str


class Scan(TypedDict):
    # scan_...
    id: str
    # When the code was followed. ISO 8601, UTC.
    at: str
    # cmp_...
    campaign_id: str
    # The creative variant that showed the code, cre_...
    creative_id: str
    # scr_...
    screen_id: str
    # ven_...
    venue_id: str
    # Part of the day at the venue.
    daypart: str
    # Minute of the slot in which the code was shown. ISO 8601, UTC.
    slot_at: str


class BrandLiftAwarenessExposed(TypedDict):
    """People who had been exposed."""
    # People who answered.
    sample: int
    # People of the sample with a positive answer.
    positive: int
    # Share of positive answers; null without answers.
    rate: float | None


class BrandLiftAwarenessControl(TypedDict):
    """People who had not."""
    # People who answered.
    sample: int
    # People of the sample with a positive answer.
    positive: int
    # Share of positive answers; null without answers.
    rate: float | None


class BrandLiftAwarenessConfidenceInterval(TypedDict):
    # Lower end, as a share.
    low: float
    # Upper end, as a share.
    high: float
    # Confidence level, as a share: 0.95.
    level: float


class BrandLiftAwareness(TypedDict):
    """Knowing the brand."""
    # People who had been exposed.
    exposed: BrandLiftAwarenessExposed
    # People who had not.
    control: BrandLiftAwarenessControl
    # Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty.
    delta: float | None
    # Interval of the delta: Newcombe's hybrid score interval (1998, method 10).
    confidence_interval: BrandLiftAwarenessConfidenceInterval | None
    # Whether the interval leaves out 0.
    significant: bool


class BrandLiftRecallExposed(TypedDict):
    """People who had been exposed."""
    # People who answered.
    sample: int
    # People of the sample with a positive answer.
    positive: int
    # Share of positive answers; null without answers.
    rate: float | None


class BrandLiftRecallControl(TypedDict):
    """People who had not."""
    # People who answered.
    sample: int
    # People of the sample with a positive answer.
    positive: int
    # Share of positive answers; null without answers.
    rate: float | None


class BrandLiftRecallConfidenceInterval(TypedDict):
    # Lower end, as a share.
    low: float
    # Upper end, as a share.
    high: float
    # Confidence level, as a share: 0.95.
    level: float


class BrandLiftRecall(TypedDict):
    """Remembering the ad."""
    # People who had been exposed.
    exposed: BrandLiftRecallExposed
    # People who had not.
    control: BrandLiftRecallControl
    # Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty.
    delta: float | None
    # Interval of the delta: Newcombe's hybrid score interval (1998, method 10).
    confidence_interval: BrandLiftRecallConfidenceInterval | None
    # Whether the interval leaves out 0.
    significant: bool


class BrandLiftIntentExposed(TypedDict):
    """People who had been exposed."""
    # People who answered.
    sample: int
    # People of the sample with a positive answer.
    positive: int
    # Share of positive answers; null without answers.
    rate: float | None


class BrandLiftIntentControl(TypedDict):
    """People who had not."""
    # People who answered.
    sample: int
    # People of the sample with a positive answer.
    positive: int
    # Share of positive answers; null without answers.
    rate: float | None


class BrandLiftIntentConfidenceInterval(TypedDict):
    # Lower end, as a share.
    low: float
    # Upper end, as a share.
    high: float
    # Confidence level, as a share: 0.95.
    level: float


class BrandLiftIntent(TypedDict):
    """Meaning to buy."""
    # People who had been exposed.
    exposed: BrandLiftIntentExposed
    # People who had not.
    control: BrandLiftIntentControl
    # Share of positive answers of the exposed less that of the control group, -1 to 1; null while a group is empty.
    delta: float | None
    # Interval of the delta: Newcombe's hybrid score interval (1998, method 10).
    confidence_interval: BrandLiftIntentConfidenceInterval | None
    # Whether the interval leaves out 0.
    significant: bool


class BrandLift(TypedDict):
    # cmp_...
    campaign_id: str
    # Name of the campaign.
    name: str
    # Knowing the brand.
    awareness: BrandLiftAwareness
    # Remembering the ad.
    recall: BrandLiftRecall
    # Meaning to buy.
    intent: BrandLiftIntent


class BrandLiftReceipt(TypedDict):
    # Number of answers that were new.
    accepted: int
    # Number of answers to a question that the person had answered before; the first one holds.
    duplicates: int


class SharedReport(TypedDict):
    """A link that shows the report of one campaign without a key."""
    # shr_...
    id: str
    # cmp_...
    campaign_id: str
    # Who it is for; may be empty.
    name: str
    # `open` while the link works; `expired` after its time, `ended` by somebody before.
    status: Literal["open", "expired", "ended"]
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it ends by itself. ISO 8601, UTC.
    expires_at: str


class MadeSharedReport(TypedDict):
    # shr_...
    id: str
    # cmp_...
    campaign_id: str
    # Who it is for; may be empty.
    name: str
    # `open` while the link works; `expired` after its time, `ended` by somebody before.
    status: Literal["open", "expired", "ended"]
    # When it was made. ISO 8601, UTC.
    created_at: str
    # When it ends by itself. ISO 8601, UTC.
    expires_at: str
    # The page that shows the report. It is shown here only.
    url: str
    # What the page sends: `report_...`. It is shown here only.
    token: str


class SharedReportShownWorkspace(TypedDict):
    """Who shares it."""
    # Name of the workspace.
    name: str


class SharedReportShownCampaign(TypedDict):
    """What it is about."""
    # Name of the campaign.
    name: str
    # Its first day; null for a draft without a schedule.
    starts: str | None
    # Its last day; null for a draft without a schedule.
    ends: str | None


class SharedReportShown(TypedDict):
    """The report of a campaign by day and city, for readers with the link."""
    # Who shares it.
    workspace: SharedReportShownWorkspace
    # What it is about.
    campaign: SharedReportShownCampaign
    report: CampaignReport
    # When the link ends. ISO 8601, UTC.
    expires_at: str


class ScreenNowAd(TypedDict):
    # When it began. ISO 8601, UTC.
    starts_at: str
    # Length of the ad, in milliseconds.
    duration_ms: int
    # cmp_...
    campaign_id: str
    # cre_...
    creative_id: str
    # Category of the campaign.
    category: str | None


class ScreenNowLastAd(TypedDict):
    # When it began. ISO 8601, UTC.
    starts_at: str
    # Length of the ad, in milliseconds.
    duration_ms: int
    # cmp_...
    campaign_id: str
    # cre_...
    creative_id: str
    # Category of the campaign.
    category: str | None


class ScreenNowReported(TypedDict):
    # When it began. ISO 8601, UTC.
    starts_at: str
    # Length of the ad, in milliseconds.
    duration_ms: int
    # cmp_...
    campaign_id: str
    # cre_...
    creative_id: str
    # Category of the campaign.
    category: str | None


class ScreenNow(TypedDict):
    """What a screen shows: what it was given, by the decisions about its slots, and what it has reported."""
    # scr_...
    screen_id: str
    # The ad whose time it is; null: none, the screen shows what is its own, or nothing.
    ad: ScreenNowAd | None
    # The newest ad of the last 24 hours that the screen was *given* for a time that has begun; whether it was shown is
    # not known yet.
    last_ad: ScreenNowLastAd | None
    # The newest ad that the screen has *reported* as shown, whenever that was; `duration_ms` is how long it was on
    # screen. Known at most half a minute after the report. Null: it has reported none.
    reported: ScreenNowReported | None


class ScreenDecisionWinner(TypedDict):
    # cmp_...
    campaign_id: str
    # cre_...
    creative_id: str
    # Category of the campaign; null for one that is no longer known.
    category: str | None
    # Length of the ad, in milliseconds.
    duration_ms: int


class ScreenDecisionLosers(TypedDict):
    # cmp_...
    campaign_id: str
    # Category of the campaign.
    category: str
    # Why it did not get the slot; `outranked`: it could play, and another one was further behind.
    reason: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out", "outranked"]
    # The rule that restricts it, such as `Alcohol within 200 m of a school: Example rule`; null for other reasons.
    rule: str | None


class ScreenDecisionLosersByReason(TypedDict):
    # The reason.
    reason: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out", "outranked"]
    # Campaigns that lost for it.
    campaigns: int


class ScreenDecision(TypedDict):
    # When the slot begins. ISO 8601, UTC.
    starts_at: str
    # When it was decided. ISO 8601, UTC.
    decided_at: str
    # Length of the slot, in milliseconds.
    max_duration_ms: int
    # Whether the screen asked for it ahead, for a time without a connection.
    offline_plan: bool
    # The ad; null without one.
    winner: ScreenDecisionWinner | None
    # Why there is no ad; null when there is one.
    no_fill: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out"] | None
    # `complete`: what happened to the losers is known. `expired`: the slot is older than 24 hours, and only its winner
    # is kept. `not_recorded`: what the decision was made from was not written down, or not yet.
    explanation: Literal["complete", "expired", "not_recorded"]
    # Campaigns that want such a screen, those that came furthest first; at most 100. Empty unless `explanation` is
    # `complete`.
    losers: list[ScreenDecisionLosers]
    # All campaigns that did not get the slot, also those that want other screens, by reason.
    losers_by_reason: list[ScreenDecisionLosersByReason]


class CampaignDecision(TypedDict):
    # scr_...
    screen_id: str
    # When the slot begins. ISO 8601, UTC.
    starts_at: str
    # When it was decided. ISO 8601, UTC.
    decided_at: str
    # Length of the slot, in milliseconds.
    max_duration_ms: int
    # Whether the screen asked for it ahead, for a time without a connection.
    offline_plan: bool
    # Whether the campaign got the slot. Lost slots are shown of the last 24 hours, on screens that the campaign wants.
    outcome: Literal["won", "lost"]
    # What is shown, cre_...; null when the slot was lost.
    creative_id: str | None
    # Why it was lost; `outranked`: the campaign could play, and another one was further behind. Null when it was won.
    reason: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out", "outranked"] | None
    # The rule that restricts it, such as `Alcohol within 200 m of a school: Example rule`; null for other reasons.
    rule: str | None


class ReviewWorkspace(TypedDict):
    """Whose it is."""
    # ws_...
    id: str
    # Name of the workspace.
    name: str


class ReviewSchedule(TypedDict):
    """Days of the campaign, both included, local to the venue."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class ReviewCreatives(TypedDict):
    # cre_...
    id: str
    # Name of the creative.
    name: str
    # `video` or `still`; null without a file.
    kind: str | None
    # The screens that it is for.
    orientation: Literal["landscape", "portrait"]
    # Length, in milliseconds.
    duration_ms: int
    # Whether its file was accepted: `ready`.
    status: str
    # The file; null unless it is ready.
    url: str | None
    # A picture of it; null unless it is ready.
    poster_url: str | None


class Review(TypedDict):
    """A campaign that waits for a decision of the operator."""
    # cmp_...
    campaign_id: str
    # Name of the campaign.
    name: str
    # Whose it is.
    workspace: ReviewWorkspace
    # Category of the campaign.
    category: str
    # Why campaigns of this category wait for a person.
    category_rule: str
    # What it may spend.
    budget: Money
    # Days of the campaign, both included, local to the venue.
    schedule: ReviewSchedule
    targets: Targets
    # Where its codes lead; null: nowhere.
    landing_url: str | None
    # What would be shown.
    creatives: list[ReviewCreatives]
    # When the campaign was made. ISO 8601, UTC.
    created_at: str


class DecidedReviewRejection(TypedDict):
    # Why, in snake case.
    code: str
    # The same for people.
    detail: str


class DecidedReview(TypedDict):
    # cmp_...
    campaign_id: str
    # What the campaign is now.
    status: Literal["live", "rejected"]
    # Why review rejected it.
    rejection: DecidedReviewRejection | None


class NetworkScreenWorkspace(TypedDict):
    """Whose it is."""
    # ws_...
    id: str
    # Name of the workspace.
    name: str


class NetworkScreenVenue(TypedDict):
    """Where it stands."""
    # ven_...
    id: str
    # Name of the venue.
    name: str
    # OpenOOH venue type.
    type: str
    # City.
    city: str
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # IANA name of its time zone.
    timezone: str


class NetworkScreen(TypedDict):
    """A paired screen of any workspace."""
    # scr_...
    id: str
    # Name of the screen.
    label: str
    # Whether it is connected.
    status: Literal["online", "offline", "paired_idle"]
    # When it was connected last; null: never.
    last_seen_at: str | None
    # What it runs; null until it has connected.
    platform: str | None
    # Whose it is.
    workspace: NetworkScreenWorkspace
    # Where it stands.
    venue: NetworkScreenVenue


class NetworkPlacesPlaces(TypedDict):
    # City.
    city: str
    # Latitude of the middle of its screens, in degrees.
    lat: float
    # Longitude of the middle of its screens, in degrees.
    lng: float
    # Number of paired screens.
    screens: int
    # Number of screens that are connected.
    online: int


class NetworkPlaces(TypedDict):
    """Where the screens of all workspaces stand."""
    # The cities with most screens first; at most 1,000.
    places: list[NetworkPlacesPlaces]


class NetworkDecisionLosersByReason(TypedDict):
    # The reason.
    reason: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out", "outranked"]
    # Campaigns that lost for it.
    campaigns: int


class NetworkDecisionWinnerWorkspace(TypedDict):
    """Whose it is."""
    # ws_...
    id: str
    # Name of the workspace.
    name: str


class NetworkDecisionWinner(TypedDict):
    # cmp_...
    campaign_id: str
    # cre_...
    creative_id: str
    # Category of the campaign; null for one that is no longer known.
    category: str | None
    # Length of the ad, in milliseconds.
    duration_ms: int
    # Name of the campaign; null where it is not known.
    name: str | None
    # Whose it is; null where it is not known.
    workspace: NetworkDecisionWinnerWorkspace | None


class NetworkDecisionLosersWorkspace(TypedDict):
    """Whose it is."""
    # ws_...
    id: str
    # Name of the workspace.
    name: str


class NetworkDecisionLosers(TypedDict):
    # cmp_...
    campaign_id: str
    # Category of the campaign.
    category: str
    # Why it did not get the slot; `outranked`: it could play, and another one was further behind.
    reason: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out", "outranked"]
    # The rule that restricts it, such as `Alcohol within 200 m of a school: Example rule`; null for other reasons.
    rule: str | None
    # Name of the campaign; null where it is not known.
    name: str | None
    # Whose it is; null where it is not known.
    workspace: NetworkDecisionLosersWorkspace | None


class NetworkDecision(TypedDict):
    """How a slot of any screen was decided."""
    # When the slot begins. ISO 8601, UTC.
    starts_at: str
    # When it was decided. ISO 8601, UTC.
    decided_at: str
    # Length of the slot, in milliseconds.
    max_duration_ms: int
    # Whether the screen asked for it ahead, for a time without a connection.
    offline_plan: bool
    # Why there is no ad; null when there is one.
    no_fill: Literal["no_campaign", "screen_closed", "ad_ratio", "sandbox", "targeting", "venue_blocked", "restricted", "outside_schedule", "outside_daypart", "paused", "creative_not_ready", "format", "budget_exhausted", "no_lease", "frequency", "separation", "paced_out"] | None
    # `complete`: what happened to the losers is known. `expired`: the slot is older than 24 hours, and only its winner
    # is kept. `not_recorded`: what the decision was made from was not written down, or not yet.
    explanation: Literal["complete", "expired", "not_recorded"]
    # All campaigns that did not get the slot, also those that want other screens, by reason.
    losers_by_reason: list[NetworkDecisionLosersByReason]
    # The ad; null without one.
    winner: NetworkDecisionWinner | None
    # All campaigns that did not get the slot, those that came furthest first; at most 100. Empty unless `explanation`
    # is `complete`.
    losers: list[NetworkDecisionLosers]


class OperationsStatusAlerts(TypedDict):
    # `invariants_broken`: the last check found breaches; `plays_behind`: reports are more than 90 seconds behind;
    # `batches_failed`: no worker takes them; `dead_letters`: events that could not be processed wait; `check_overdue`:
    # no check of the last three hours; `invariants_unchecked`: something could not be checked; `webhooks_disabled`:
    # endpoints that were given up after errors.
    code: Literal["invariants_broken", "plays_behind", "batches_failed", "dead_letters", "check_overdue", "invariants_unchecked", "webhooks_disabled"]
    # Number of what it is about; of `plays_behind` the seconds, of `check_overdue` the hours.
    count: int


class OperationsStatusLastCheckInvariants(TypedDict):
    # What was checked.
    name: Literal["batches", "counted_bits", "rollups", "charges", "budgets", "ledger", "audit", "outbox"]
    # Number of breaches that were found.
    breaches: int


class OperationsStatusLastCheckBreaches(TypedDict):
    # What is broken.
    invariant: Literal["batches", "counted_bits", "rollups", "charges", "budgets", "ledger", "audit", "outbox"]
    # cmp_..., where it is about one.
    campaign_id: str | None
    # ws_..., where it is about one.
    workspace_id: str | None
    # What was found.
    detail: str


class OperationsStatusLastCheck(TypedDict):
    # When it began. ISO 8601, UTC.
    began_at: str
    # When it ended. ISO 8601, UTC.
    ended_at: str
    # Every invariant, in the order of the report.
    invariants: list[OperationsStatusLastCheckInvariants]
    # The breaches; at most 100.
    breaches: list[OperationsStatusLastCheckBreaches]
    # What could not be checked.
    unchecked: list[str]


class OperationsStatusScreens(TypedDict):
    """Of all workspaces."""
    # Screens that are connected.
    online: int
    # Screens that were connected and are not.
    offline: int


class OperationsStatus(TypedDict):
    """Whether the installation keeps what it promises."""
    # What somebody has to look at, the gravest first; empty when all is well.
    alerts: list[OperationsStatusAlerts]
    # The newest of the hourly checks of every invariant; null before the first.
    last_check: OperationsStatusLastCheck | None
    # Every play acknowledged before this moment is in the status. It may step back when the queue of plays was lost,
    # until all copies of it are in again; plays that were shown once stay. ISO 8601, UTC.
    as_of: str
    # Of all workspaces.
    screens: OperationsStatusScreens
    # Number of campaigns that wait for the operator.
    reviews_waiting: int
    # Number of events that could not be processed.
    dead_letters_waiting: int
    # Number of batches of plays that are on their way to the reports.
    batches_waiting: int


class HindsightDaysDays(TypedDict):
    # In UTC. YYYY-MM-DD.
    day: str
    # The most that could have been delivered by one who knew every slot and booking of the day. In units of the
    # currency, of all currencies alike.
    bound: float
    # What was delivered. In units of the currency, of all currencies alike.
    delivered: float
    # Slots that nobody got while a campaign that could have played fell short. In units of the currency, of all
    # currencies alike.
    idle: float
    # Slots given to a campaign that could have played elsewhere, while another could not. In units of the currency, of
    # all currencies alike.
    misallocated: float
    # What frequency caps and separation kept away. In units of the currency, of all currencies alike.
    capped: float
    # Slots that had passed when the campaigns were booked that could have had them. In units of the currency, of all
    # currencies alike.
    late_booked: float
    # When this was found out. ISO 8601, UTC.
    looked_at: str
    # Whether plays that were reported late are in it.
    is_final: bool


class HindsightDays(TypedDict):
    """What was delivered each day beside the most that could have been. `bound` is the sum of the others."""
    # The last 31 days on which campaigns wanted something, the newest first.
    days: list[HindsightDaysDays]


class IntegrationsIntegrations(TypedDict):
    # `X-Service-Sdk` as app/version; `other` for names beyond what a process counts at a time.
    integration: str
    # Calls made with a key or a session.
    calls: int
    # Number of workspaces that it called.
    workspaces: int
    # The last day on which it called, in UTC. YYYY-MM-DD.
    last_day: str


class Integrations(TypedDict):
    """Which software calls the API, as it names itself."""
    # The first of the 30 days that were counted, in UTC. YYYY-MM-DD.
    since: str
    # Most calls first; at most 100.
    integrations: list[IntegrationsIntegrations]


class ScheduledJobsJobsLastRound(TypedDict):
    # When it ended. ISO 8601, UTC.
    ended_at: str
    # Milliseconds that it took.
    took_ms: int
    # Number of things that it did; 0: there was nothing to do.
    did: int
    # What it failed on; null: it did not.
    fault: str | None


class ScheduledJobsJobs(TypedDict):
    # Its name, as `admin job list` shows it.
    name: str
    # Milliseconds that it rests after a round that found nothing to do.
    every_ms: int
    # Whether it can be asked for.
    can_run: bool
    # When somebody asked for it; null once it has run.
    asked_at: str | None
    # When it looks for work next; null before its first round.
    next_at: str | None
    # Its last round in any process; null before the first.
    last_round: ScheduledJobsJobsLastRound | None


class ScheduledJobs(TypedDict):
    """What workers do by themselves."""
    # By name; empty before the first start of workers.
    jobs: list[ScheduledJobsJobs]


class AskedJob(TypedDict):
    # Name of the job.
    name: str
    # When it was asked for: now, or before where it has not run since. ISO 8601, UTC.
    asked_at: str


class DeadLetterGroupsGroups(TypedDict):
    # What it is; a `batch` could not even be taken apart.
    kind: Literal["batch", "play", "scan", "release"]
    # Where it failed.
    step: Literal["decode", "verify"]
    # Why.
    reason: str
    # Number of events.
    count: int
    # When the first of them came. ISO 8601, UTC.
    oldest_at: str
    # When the last of them came. ISO 8601, UTC.
    newest_at: str


class DeadLetterGroups(TypedDict):
    """Events that were acknowledged and could not be processed."""
    # Number of events that wait, of all groups.
    waiting: int
    # The largest first; at most 100.
    groups: list[DeadLetterGroupsGroups]


class RetriedLetters(TypedDict):
    # Number of events that were sent again; at most 1,000 in a call.
    retried: int
    # Number of batches that still cannot be read, and stay.
    unreadable: int


class WorkspaceAccount(TypedDict):
    """A workspace of the installation."""
    # ws_...
    id: str
    # Its name.
    name: str
    # What it does here.
    kind: Literal["brand", "venue", "agency", "operator"]
    # Currency of its money, ISO 4217.
    currency: str
    # `in_review` after a sign-up, until it is approved; `closed`: its keys are refused.
    status: Literal["in_review", "active", "closed"]
    # Address of its first owner; null: it has none.
    owner: str | None
    # The agency whose client it is, ws_...; null: it is no client.
    agency_id: str | None
    # Network address of its sign-up; null: the operator made it.
    signed_up_from: str | None
    # When it was made. ISO 8601, UTC.
    created_at: str


class MovedWorkspace(TypedDict):
    # ws_...
    id: str
    # What it is now.
    status: Literal["in_review", "active", "closed"]


class PaymentEventReceipt(TypedDict):
    # That the event was taken, now or before.
    received: bool


class CreateVenueBodyVisibility(TypedDict):
    """What brands see of the venue beside its type, city and photo. A field that is left out stays as it is."""
    # Whether brands see the name; `true` by default.
    name: NotRequired[bool]
    # How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km;
    # `hidden`: not at all. Searches and areas of campaigns compare the position shown, so a hidden venue is in none.
    coordinates: NotRequired[Literal["exact", "city", "hidden"]]


class CreateVenueBody(TypedDict):
    # Name of the venue.
    name: str
    # OpenOOH venue type: dotted name, string value or id.
    type: str
    # City, as people write it.
    city: str
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # IANA time zone, such as Europe/Berlin; in any case, and answered by its name.
    timezone: str
    # Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open.
    opening_hours: NotRequired[Any]
    # People who visit on a day.
    daily_visitors: int
    # Minutes that a visitor stays.
    dwell_minutes: float
    # Categories of ads that are never shown here.
    blocked_categories: NotRequired[list[str]]
    # What runs on screens that have no playlist of their own; null: ads alone.
    default_playlist_id: NotRequired[str | None]
    # What brands see of the venue beside its type, city and photo. A field that is left out stays as it is.
    visibility: NotRequired[CreateVenueBodyVisibility]
    # A picture of the place that brands see; null: none.
    photo_asset_id: NotRequired[str | None]


class ChangeVenueBodyVisibility(TypedDict):
    """What brands see of the venue beside its type, city and photo. A field that is left out stays as it is."""
    # Whether brands see the name; `true` by default.
    name: NotRequired[bool]
    # How exactly brands see where it stands: `exact`; `city` (the default): to a tenth of a degree, some 10 km;
    # `hidden`: not at all. Searches and areas of campaigns compare the position shown, so a hidden venue is in none.
    coordinates: NotRequired[Literal["exact", "city", "hidden"]]


class ChangeVenueBody(TypedDict):
    # Name of the venue.
    name: NotRequired[str]
    # OpenOOH venue type: dotted name, string value or id.
    type: NotRequired[str]
    # City, as people write it.
    city: NotRequired[str]
    # Latitude in degrees.
    lat: NotRequired[float]
    # Longitude in degrees.
    lng: NotRequired[float]
    # IANA time zone, such as Europe/Berlin; in any case, and answered by its name.
    timezone: NotRequired[str]
    # Ranges by weekday, {mon: [{start, end}], ...}; absent or null: always open.
    opening_hours: NotRequired[Any]
    # People who visit on a day.
    daily_visitors: NotRequired[int]
    # Minutes that a visitor stays.
    dwell_minutes: NotRequired[float]
    # Categories of ads that are never shown here.
    blocked_categories: NotRequired[list[str]]
    # What runs on screens that have no playlist of their own; null: ads alone.
    default_playlist_id: NotRequired[str | None]
    # What brands see of the venue beside its type, city and photo. A field that is left out stays as it is.
    visibility: NotRequired[ChangeVenueBodyVisibility]
    # A picture of the place that brands see; null: none.
    photo_asset_id: NotRequired[str | None]


class ReplaceVenueMenuBodySectionsItems(TypedDict):
    # What is in it.
    description: NotRequired[str]
    # What it is called.
    name: str
    price: NotRequired[Money]
    # Short marks; what is marked `highlight` comes first on a page of highlights.
    tags: NotRequired[list[str]]


class ReplaceVenueMenuBodySections(TypedDict):
    # Headline of the section.
    name: str
    # What is on offer, in order.
    items: list[ReplaceVenueMenuBodySectionsItems]


class ReplaceVenueMenuBody(TypedDict):
    # Headline of the page; the name of the venue by default.
    title: NotRequired[str]
    # Language tag of BCP 47, such as de-AT: how prices are written. `en` by default.
    language: NotRequired[str]
    # Sections in order; at most 80 items in all.
    sections: list[ReplaceVenueMenuBodySections]


class CreatePlaylistBodyItems(TypedDict):
    # `ai_menu`: a page drawn from the venue's menu; `image`: an asset; `creative`: a creative of this workspace;
    # `sponsorship_card`: a page that thanks a sponsor; `ad_slot`: a place for ads.
    type: Literal["ai_menu", "image", "creative", "sponsorship_card", "ad_slot"]
    # How the menu page looks. Of `ai_menu`.
    template: NotRequired[str]
    # ast_..., a ready asset. Of `image`.
    asset_id: NotRequired[str]
    # cre_..., a ready creative. Of `creative`.
    creative_id: NotRequired[str]
    # Who is thanked. Of `sponsorship_card`.
    sponsor: NotRequired[str]
    # What else the card says. Of `sponsorship_card`.
    message: NotRequired[str]
    # How long it is shown, in milliseconds. Of all but `ad_slot`; a creative lasts its own time unless this says
    # otherwise.
    duration_ms: NotRequired[int]
    # Share of the ad time among the ad slots; 1 by default. Of `ad_slot`.
    weight: NotRequired[float]
    # Ignored, so that items can be sent back as they were read. Of `creative`.
    status: NotRequired[str]


class CreatePlaylistBody(TypedDict):
    # Name of the playlist.
    name: str
    # What is shown, in order, again and again.
    items: list[CreatePlaylistBodyItems]
    # Share of the running time that is ads, 0 to 1, in place of the screen's own; null: the screen's own.
    ad_ratio: NotRequired[float | None]


class ChangePlaylistBodyItems(TypedDict):
    # `ai_menu`: a page drawn from the venue's menu; `image`: an asset; `creative`: a creative of this workspace;
    # `sponsorship_card`: a page that thanks a sponsor; `ad_slot`: a place for ads.
    type: Literal["ai_menu", "image", "creative", "sponsorship_card", "ad_slot"]
    # How the menu page looks. Of `ai_menu`.
    template: NotRequired[str]
    # ast_..., a ready asset. Of `image`.
    asset_id: NotRequired[str]
    # cre_..., a ready creative. Of `creative`.
    creative_id: NotRequired[str]
    # Who is thanked. Of `sponsorship_card`.
    sponsor: NotRequired[str]
    # What else the card says. Of `sponsorship_card`.
    message: NotRequired[str]
    # How long it is shown, in milliseconds. Of all but `ad_slot`; a creative lasts its own time unless this says
    # otherwise.
    duration_ms: NotRequired[int]
    # Share of the ad time among the ad slots; 1 by default. Of `ad_slot`.
    weight: NotRequired[float]
    # Ignored, so that items can be sent back as they were read. Of `creative`.
    status: NotRequired[str]


class ChangePlaylistBody(TypedDict):
    # Name of the playlist.
    name: NotRequired[str]
    # What is shown, in order, again and again.
    items: NotRequired[list[ChangePlaylistBodyItems]]
    # Share of the running time that is ads, 0 to 1, in place of the screen's own; null: the screen's own.
    ad_ratio: NotRequired[float | None]


class CreatePairingAnswer(TypedDict):
    # Six digits, unique while they are valid.
    code: str
    # End of the 60 seconds in which the code is valid. ISO 8601, UTC.
    expires_at: str
    # Page on which a person claims the screen.
    claim_url: str


class CreatePairingBody(TypedDict):
    # Venue of the screen.
    venue_id: str
    # A screen of that venue whose device never confirmed: the code attaches a device to it.
    screen_id: NotRequired[str]


class ReadPairingAnswer(TypedDict):
    # The six digits.
    code: str
    # End of the 60 seconds in which the code is valid. ISO 8601, UTC.
    expires_at: str
    # Page on which a person claims the screen.
    claim_url: str
    # Whether one of the two halves was used.
    claimed: bool
    # The screen, once claimed.
    screen_id: str | None


class ConfirmPairingAnswer(TypedDict):
    # The screen that the device now is.
    screen_id: str
    # Token for the `hello` of the screen protocol; shown once.
    device_token: str
    # Address of the screen protocol.
    socket_url: str


class ConfirmPairingBody(TypedDict):
    # Platform of the player.
    platform: Literal["android_tv", "tizen", "webos", "fire_tv", "google_tv", "windows", "linux", "browser"]
    # Version of the player.
    player: str


class CreateScreenBody(TypedDict):
    # Venue in which the screen stands.
    venue_id: str
    # What people call the screen.
    label: str
    # The six digits that the screen shows.
    code: str


class ChangeScreenBody(TypedDict):
    # What people call the screen.
    label: NotRequired[str]
    # Venue in which the screen stands.
    venue_id: NotRequired[str]
    # Share of the running time that may be ads, 0 to 1.
    ad_ratio: NotRequired[float]
    # Playlist of the screen; null: the default of its venue.
    playlist_id: NotRequired[str | None]
    # How the display stands.
    orientation: NotRequired[Literal["landscape", "portrait"]]
    # false takes the sensing module from the screen; true is taken where one is paired, and in the sandbox.
    sensor_paired: NotRequired[bool]
    # Categories never shown on this screen, besides the venue's.
    blocked_categories: NotRequired[list[str]]


class ChallengeSensorBody(TypedDict):
    # What is printed on the module.
    serial: str


class PairSensorBody(TypedDict):
    # What is printed on the module.
    serial: str
    # The challenge that the module signed, 32 bytes in base64url.
    challenge: str
    # The module's Ed25519 signature over the `text` of the challenge, 64 bytes in base64url.
    signature: str


class CreateCreativeBody(TypedDict):
    # Name of the creative.
    name: str
    # The screens that it is made for. The picture must stand like this; a square one fits both.
    orientation: Literal["landscape", "portrait"]
    # Milliseconds: a video 6000 to 20000, a still 6000 to 15000. The file may differ by 250 ms.
    duration_ms: int
    # Whether AI made or changed it. Screens then show a label with it (EU AI Act, Article 50). Default: false.
    synthetic: NotRequired[bool]
    # Name of the file that will be uploaded; its extension (mp4, webm, mov, jpg, jpeg, png, webp) says what it is.
    # Without it the creative is a draft.
    filename: NotRequired[str]
    # Name of a sound that is played with a still: mp3, m4a or wav. It is cut to the duration.
    audio_filename: NotRequired[str]


class ChangeCreativeBody(TypedDict):
    """The name and `synthetic` may change at any time, the rest until a file has come. A `filename` gives a new upload
    address.
    """
    # Name of the creative.
    name: NotRequired[str]
    # The screens that it is made for. Until a file has come.
    orientation: NotRequired[Literal["landscape", "portrait"]]
    # Milliseconds: a video 6000 to 20000, a still 6000 to 15000. The file may differ by 250 ms.
    duration_ms: NotRequired[int]
    # Whether AI made or changed it. Screens then show a label with it (EU AI Act, Article 50). Default: false.
    synthetic: NotRequired[bool]
    # Name of the file that will be uploaded; its extension (mp4, webm, mov, jpg, jpeg, png, webp) says what it is.
    # Without it the creative is a draft.
    filename: NotRequired[str]
    # Name of a sound that is played with a still: mp3, m4a or wav. It is cut to the duration.
    audio_filename: NotRequired[str]


class CreateAssetBody(TypedDict):
    # Name of the asset.
    name: str
    # Name of the image that will be uploaded; its extension (jpg, jpeg, png, webp) says what it is.
    filename: str


class CreateCampaignBodyTargetsAreas(TypedDict):
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # Radius in kilometres.
    radiusKm: float


class CreateCampaignBodyTargetsDaypart(TypedDict):
    """Part of the day; absent: all of it."""
    # Start. HH:MM, 24-hour, local to the venue.
    start: str
    # End; before the start: on the next day. HH:MM, 24-hour, local to the venue.
    end: str


class CreateCampaignBodyTargets(TypedDict):
    """Where and when; all times are local to the venue."""
    # Cities, without regard to case and accents; empty: any.
    cities: NotRequired[list[str]]
    # OpenOOH venue types or parents of them; empty: any.
    venue_types: NotRequired[list[str]]
    # Circles, compared with the positions that venues show; empty: anywhere.
    areas: NotRequired[list[CreateCampaignBodyTargetsAreas]]
    # Orientations of screens; empty: any.
    orientations: NotRequired[list[Literal["landscape", "portrait"]]]
    # Part of the day; absent: all of it.
    daypart: NotRequired[CreateCampaignBodyTargetsDaypart]
    # Weekdays; empty: every day.
    days: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]


class CreateCampaignBodySchedule(TypedDict):
    """Days of the campaign, both included, local to the venue."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class CreateCampaignBodyFrequency(TypedDict):
    """Cap per screen."""
    # Plays per hour.
    max_per_hour: int


class CreateCampaignBody(TypedDict):
    # Name of the campaign.
    name: str
    # Tier-1 category of IAB Ad Product 2.0, by id or slug. Optional in a draft.
    category: NotRequired[str]
    # What may be spent in all. Optional in a draft.
    budget: NotRequired[Money]
    # Where and when; all times are local to the venue.
    targets: NotRequired[CreateCampaignBodyTargets]
    # Creatives in rotation, with equal weights. Optional in a draft.
    creatives: NotRequired[list[str]]
    # Days of the campaign, both included, local to the venue.
    schedule: NotRequired[CreateCampaignBodySchedule]
    # Where a scan leads; https.
    landing_url: NotRequired[str]
    # Whether brand lift is measured.
    brand_lift: NotRequired[bool]
    # Cap per screen.
    frequency: NotRequired[CreateCampaignBodyFrequency]
    # `draft` keeps it back and needs a name alone; by default it is sent for review.
    status: NotRequired[Literal["draft", "pending_review"]]


class ChangeCampaignBodySchedule(TypedDict):
    """Days of the campaign, both included, local to the venue."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class ChangeCampaignBodyTargetsAreas(TypedDict):
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # Radius in kilometres.
    radiusKm: float


class ChangeCampaignBodyTargetsDaypart(TypedDict):
    """Part of the day; absent: all of it."""
    # Start. HH:MM, 24-hour, local to the venue.
    start: str
    # End; before the start: on the next day. HH:MM, 24-hour, local to the venue.
    end: str


class ChangeCampaignBodyTargets(TypedDict):
    """Where and when; all times are local to the venue."""
    # Cities, without regard to case and accents; empty: any.
    cities: NotRequired[list[str]]
    # OpenOOH venue types or parents of them; empty: any.
    venue_types: NotRequired[list[str]]
    # Circles, compared with the positions that venues show; empty: anywhere.
    areas: NotRequired[list[ChangeCampaignBodyTargetsAreas]]
    # Orientations of screens; empty: any.
    orientations: NotRequired[list[Literal["landscape", "portrait"]]]
    # Part of the day; absent: all of it.
    daypart: NotRequired[ChangeCampaignBodyTargetsDaypart]
    # Weekdays; empty: every day.
    days: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]


class ChangeCampaignBodyCreatives(TypedDict):
    # cre_...
    id: str
    # Weight in the rotation; 1 by default.
    weight: NotRequired[int]


class ChangeCampaignBodyFrequency(TypedDict):
    # Plays per hour.
    max_per_hour: int


class ChangeCampaignBody(TypedDict):
    # Name of the campaign.
    name: NotRequired[str]
    # Tier-1 category, by id or slug, until the campaign is approved: of a draft, one in review, which is reviewed anew,
    # or a rejected one.
    category: NotRequired[str]
    # What may be spent in all. A raise is reserved on the wallet; what a cut frees goes back to it.
    budget: NotRequired[Money]
    # Days of the campaign, both included, local to the venue.
    schedule: NotRequired[ChangeCampaignBodySchedule]
    # Where and when; all times are local to the venue.
    targets: NotRequired[ChangeCampaignBodyTargets]
    # Creatives in rotation, in place of those before.
    creatives: NotRequired[list[ChangeCampaignBodyCreatives]]
    # Where a scan leads; https. Null: nowhere.
    landing_url: NotRequired[str | None]
    # Cap per screen. Null: none.
    frequency: NotRequired[ChangeCampaignBodyFrequency | None]
    # Whether brand lift is measured.
    brand_lift: NotRequired[bool]
    # `paused` stops it, `live` resumes it, `pending_review` submits a draft, or a rejected campaign that has spent
    # nothing, or approves a client's campaign for its agency.
    status: NotRequired[Literal["live", "paused", "pending_review"]]


class ListCategoriesAnswer(TypedDict):
    # All of them, by number.
    data: list[Category]


class ListVenueTypesAnswer(TypedDict):
    # All of them, parents before their children.
    data: list[VenueType]


class ListCitiesAnswer(TypedDict):
    # Those with most screens first, up to 5000.
    data: list[City]


class CreateForecastBodySchedule(TypedDict):
    """Days, both included, local to the venue. Required beside a money object."""
    # First day. YYYY-MM-DD.
    starts: str
    # Last day. YYYY-MM-DD.
    ends: str


class CreateForecastBodyDaypart(TypedDict):
    """Part of the day, local to the venue; absent: all of it."""
    # HH:MM.
    start: str
    # HH:MM; before the start: on the next day.
    end: str


class CreateForecastBodyFrequency(TypedDict):
    """Cap per screen, in both shapes; absent: none."""
    # Plays per hour.
    max_per_hour: int


class CreateForecastBodyAreas(TypedDict):
    # Latitude in degrees.
    lat: float
    # Longitude in degrees.
    lng: float
    # Radius in kilometres.
    radiusKm: float


CreateForecastBodyHours = TypedDict(
    "CreateForecastBodyHours",
    {
        "days": "NotRequired[list[Literal[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"]]]",
        "from": "str",
        "to": "str",
    },
)


class CreateForecastBody(TypedDict):
    # What may be spent in all: `{amount, currency}`, or a decimal amount in units of the currency in the same body.
    budget: Money | float
    # OpenOOH venue types or parents of them; absent or empty: any.
    venue_types: NotRequired[list[str]]
    # Cities, without regard to case and accents; absent or empty: any.
    cities: NotRequired[list[str]]
    # Days, both included, local to the venue. Required beside a money object.
    schedule: NotRequired[CreateForecastBodySchedule]
    # Part of the day, local to the venue; absent: all of it.
    daypart: NotRequired[CreateForecastBodyDaypart]
    # Weekdays beside a schedule; absent or empty: every day.
    days: NotRequired[list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]]]
    # Orientations of screens, beside a schedule; absent or empty: any.
    orientations: NotRequired[list[Literal["landscape", "portrait"]]]
    # cmp_..., beside a schedule: a campaign that the plan would change. Its own booking does not compete, and only
    # screens of its creatives' orientations count.
    campaign_id: NotRequired[str]
    # Creatives that the plan would show, beside a schedule: only screens of their orientations count, instead of those
    # of the campaign's creatives.
    creatives: NotRequired[list[str]]
    # Cap per screen, in both shapes; absent: none.
    frequency: NotRequired[CreateForecastBodyFrequency]
    # Circles, at most 100, compared with the positions that venues show; absent or empty: anywhere. In both shapes.
    areas: NotRequired[list[CreateForecastBodyAreas]]
    # As `venue_types`, in the second shape.
    venueTypes: NotRequired[list[str]]
    # Hours of the week, for four weeks from today; absent: all of them.
    hours: NotRequired[CreateForecastBodyHours]
    # Currency code of ISO 4217, in the second shape.
    currency: NotRequired[str]


class CreateWalletTopUpBody(TypedDict):
    # What to add, in the currency of the workspace.
    amount: Money


class OpenCheckoutBody(TypedDict):
    # Where the person is led after paying. That they come there does not say that the money has come: the top-up does.
    success_url: str
    # Where the person is led who goes back without paying.
    cancel_url: NotRequired[str]


class ListProofKeysAnswer(TypedDict):
    # The newest first; it signs. Older keys verify older documents.
    keys: list[ProofKey]


class ReplacePayoutAccountBody(TypedDict):
    # Name of the holder, as the bank knows it.
    holder: str
    # Number of the account, an IBAN with its check digits; blanks and small letters are taken.
    iban: str
    # Code of the bank (BIC), 8 or 11 characters, where it needs one.
    bic: NotRequired[str | None]


class CreatePayoutBody(TypedDict):
    # How much; absent: all that is available in the currency of the workspace and can be paid in whole minor units.
    amount: NotRequired[PayoutMoney]


class CreateAgencyClientBody(TypedDict):
    # Name of the client.
    name: str
    # `pass-through`: the client is billed; `agency-billed`: its charges are on the agency's invoice.
    billing_model: Literal["pass-through", "agency-billed"]
    # Currency of its wallet and campaigns, ISO 4217. It never changes.
    currency: str


class ChangeAgencyClientBody(TypedDict):
    # Name of the client.
    name: NotRequired[str]
    # Who is billed from the next invoice on.
    billing_model: NotRequired[Literal["pass-through", "agency-billed"]]
    # Null: as the agency has it.
    branding: NotRequired[Branding | None]
    # Null: invoices go to its name.
    billing_details: NotRequired[BillingDetails | None]
    # Null: as the agency has it.
    approval: NotRequired[Literal["none", "agency"] | None]
    # Number of years that audit entries are kept (hours and days aside), 7 on the top plan only. Null: as the agency
    # has it.
    audit_retention_years: NotRequired[Literal[2, 7] | None]
    # Whether it lends itself to a case study.
    case_study: NotRequired[bool]
    # All people of the workspace: who is not in the list leaves, and the keys of that person with them.
    seats: NotRequired[list[Seat]]


class TransferToClientBody(TypedDict):
    # What to move, in the currency of both wallets.
    amount: Money
    # From the agency to the client, or back.
    direction: Literal["to_client", "to_agency"]


class CreateKeyBody(TypedDict):
    # What people call the key.
    name: NotRequired[str]
    # What the key reaches; by default what the calling key reaches.
    surface: NotRequired[Literal["ads_manager", "screen_manager", "agency", "operator"]]
    # `read_only` may call only GET; `read_write` by default.
    access: NotRequired[Literal["read_write", "read_only"]]
    # Member for whom the key is made, usr_...: one whose role the caller may give. By default the person of the calling
    # key.
    user_id: NotRequired[str]
    # `test` routes to the sandbox; by default the mode of the calling key.
    mode: NotRequired[Literal["live", "test"]]


class ReplaceAlertsBodyQuietHours(TypedDict):
    # From when on no mail is sent. HH:MM in `timezone`.
    start: str
    # When mails that waited are sent. An end before the start is on the next day. HH:MM in `timezone`.
    end: str


class ReplaceAlertsBodyAlerts(TypedDict):
    """How each alert is sent: `off`, `at_once`, or `daily` in the digest. An absent one is off."""
    # A screen, or every screen of a venue, was offline for `offline_minutes` of opening hours.
    screen_offline: NotRequired[Literal["off", "at_once", "daily"]]
    # A live campaign has spent `behind_percent` less than an even delivery would have; told once.
    campaign_behind: NotRequired[Literal["off", "at_once", "daily"]]
    # A campaign has reached the end of its schedule or budget.
    campaign_finished: NotRequired[Literal["off", "at_once", "daily"]]
    # The checks rejected the file of a creative.
    creative_rejected: NotRequired[Literal["off", "at_once", "daily"]]
    # The wallet is below `wallet_below`; told once after each top-up.
    wallet_low: NotRequired[Literal["off", "at_once", "daily"]]
    # The bank did not accept a payout.
    payout_failed: NotRequired[Literal["off", "at_once", "daily"]]
    # A live API key of the workspace expires within `key_days`.
    key_expiring: NotRequired[Literal["off", "at_once", "daily"]]


class ReplaceAlertsBody(TypedDict):
    # Language of the mails.
    language: Literal["en", "de"]
    # IANA time zone of the times here and in mails.
    timezone: str
    # Hours without mail, every day; null: none.
    quiet_hours: ReplaceAlertsBodyQuietHours | None
    # When the daily digest is sent. HH:MM in `timezone`.
    digest_at: str
    # Minutes of opening hours after which an offline screen is an alert.
    offline_minutes: int
    # How far behind an even delivery a campaign must be: a share in percent.
    behind_percent: int
    # Balance below which the wallet is an alert, in units of the currency of the workspace.
    wallet_below: float
    # The number of days before a key expires.
    key_days: int
    # How each alert is sent: `off`, `at_once`, or `daily` in the digest. An absent one is off.
    alerts: ReplaceAlertsBodyAlerts


class SignInBody(TypedDict):
    # Address under which the person accepted an invitation.
    email: str
    # The password of the person.
    password: str
    # Of a person with a second factor: the code that their app shows, or a recovery code.
    code: NotRequired[str]


class SignInByLinkBody(TypedDict):
    # Of the link, `link_...`.
    token: str


class ChangeAccountBody(TypedDict):
    # What the person is called.
    name: str


class ChangePasswordBody(TypedDict):
    # The password of the person as it is now.
    current_password: str
    # The new password.
    password: str


class BeginSecondFactorBody(TypedDict):
    # The password of the person as it is now.
    current_password: str


class ConfirmSecondFactorBody(TypedDict):
    # A code of the app, or a recovery code.
    code: str


class RemoveSecondFactorBody(TypedDict):
    # A code of the app, or a recovery code.
    code: str


class BeginLinkBody(TypedDict):
    # The password of the person as it is now.
    current_password: str


class ChangeMemberBody(TypedDict):
    # The new role, which all keys of the person act with from now on. None that reaches further than the role of the
    # caller.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]


class CreateInvitationBody(TypedDict):
    # Address of the person. Without a mail server of the operator no mail is sent: hand the link or the token over
    # yourself.
    email: str
    # Role of the person in this workspace; none that reaches further than that of the caller.
    role: Literal["owner", "admin", "manager", "finance", "viewer"]
    # In which language the person is written to; English by default.
    language: NotRequired[Literal["en", "de"]]


class PreviewInvitationBody(TypedDict):
    # Token of the invitation, `invite_...`.
    token: str


class AcceptInvitationBody(TypedDict):
    # Token of the invitation, `invite_...`.
    token: str
    # What the person is called; what is known already by default.
    name: NotRequired[str]
    # For people who sign in to the console: the password that will sign in this address, or the one that does already,
    # which shows that both are one person. No key is made then.
    password: NotRequired[str]
    # A live key that the person has in another workspace under the same address. It shows that both are one person,
    # whose workspaces `GET /v1/me` then lists together.
    key: NotRequired[str]


class SignUpBody(TypedDict):
    # `brand` to buy plays, `venue` to show them.
    kind: Literal["brand", "venue"]
    # Name of the brand or the venue's company.
    workspace_name: str
    # Currency of its wallet or earnings, ISO 4217. It never changes.
    currency: str
    # Address of the person who signs up, who becomes the owner.
    email: str
    # What that person is called.
    name: NotRequired[str]


class AddSandboxScreensBody(TypedDict):
    # How many screens; a sandbox has at most 20 simulated ones.
    count: int
    venue: SimulatedVenue
    # How they stand; `landscape` by default.
    orientation: NotRequired[Literal["landscape", "portrait"]]
    # Share of the running time that may be ads, 0 to 1.
    ad_ratio: NotRequired[float]


class AdvanceSandboxClockBody(TypedDict):
    # The time to which the clock moves, ISO 8601 in UTC: ahead of its time, by 31 days at most.
    to: str


class CreateAuditExportBodyDestination(TypedDict):
    """Where the CSV goes."""
    # `signed_url`: a CSV behind a link. `s3`, `gcs`: a bucket of Amazon, of Google, or of anything that speaks S3 (with
    # `endpoint`).
    type: Literal["signed_url", "s3", "gcs"]
    # Name of the bucket.
    bucket: NotRequired[str]
    # Put before the name of the object; with its slash, if it is a folder.
    prefix: NotRequired[str]
    # Region of the bucket; `us-east-1` by default.
    region: NotRequired[str]
    # HTTPS address of a service that speaks S3; public, on port 443 or 8443.
    endpoint: NotRequired[str]
    # Access key (of Google: an HMAC key).
    access_key_id: NotRequired[str]
    # Its secret; kept sealed, and only until the export has ended.
    secret_access_key: NotRequired[str]


CreateAuditExportBody = TypedDict(
    "CreateAuditExportBody",
    {
        "destination": "CreateAuditExportBodyDestination",
        "actor": "NotRequired[str]",
        "entity": "NotRequired[str]",
        "entity_id": "NotRequired[str]",
        "action": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "source": "NotRequired[Literal[\"API\", \"CLI\", \"SYSTEM\", \"DEVICE\"]]",
        "include": "NotRequired[Literal[\"reads\"]]",
        "kind": "NotRequired[Literal[\"changes\", \"calls\"]]",
    },
)


class CreateWebhookBody(TypedDict):
    # HTTPS address of the receiver, public, on port 443 or 8443.
    url: str
    # Event types to send: those of resources that the surface of the key reaches.
    events: list[Literal["campaign.created", "campaign.approved", "campaign.paused", "campaign.resumed", "campaign.finished", "campaign.rejected", "creative.uploaded", "creative.ready", "creative.rejected", "screen.paired", "screen.online", "screen.offline", "screen.unpaired", "scan.recorded", "payout.issued", "payout.paid", "payout.failed", "invoice.issued", "invoice.paid", "audit.entry.created"]]


class ChangeWebhookBody(TypedDict):
    # HTTPS address of the receiver, public, on port 443 or 8443.
    url: NotRequired[str]
    # Event types to send: those of resources that the surface of the key reaches.
    events: NotRequired[list[Literal["campaign.created", "campaign.approved", "campaign.paused", "campaign.resumed", "campaign.finished", "campaign.rejected", "creative.uploaded", "creative.ready", "creative.rejected", "screen.paired", "screen.online", "screen.offline", "screen.unpaired", "scan.recorded", "payout.issued", "payout.paid", "payout.failed", "invoice.issued", "invoice.paid", "audit.entry.created"]]]
    # `active` enables again and forgets the failures; `disabled` gives up what still waits.
    status: NotRequired[Literal["active", "disabled"]]


class SimulateWebhookEventBody(TypedDict):
    # Type of the event whose sample is sent; one that the surface of the webhook reaches.
    type: Literal["campaign.created", "campaign.approved", "campaign.paused", "campaign.resumed", "campaign.finished", "campaign.rejected", "creative.uploaded", "creative.ready", "creative.rejected", "screen.paired", "screen.online", "screen.offline", "screen.unpaired", "scan.recorded", "payout.issued", "payout.paid", "payout.failed", "invoice.issued", "invoice.paid", "audit.entry.created"]


class CreateBrandLiftResponsesBodyResponses(TypedDict):
    """One answer to one question."""
    # The campaign that was asked about; it has `brand_lift`.
    campaign_id: str
    # Whether the person had been exposed to the campaign.
    group: Literal["exposed", "control"]
    # What was asked.
    question: Literal["awareness", "recall", "intent"]
    # Whether the answer was positive.
    positive: bool
    # The survey's own name of the person; only a hash of it is kept, so that nobody answers a question twice.
    respondent: str


class CreateBrandLiftResponsesBody(TypedDict):
    # Answers; all of them are taken, or none.
    responses: list[CreateBrandLiftResponsesBodyResponses]


class ShareReportBody(TypedDict):
    # Who it is for, for the list; readers do not see it.
    name: NotRequired[str]
    # Number of days after which it ends; 30 by default.
    days: NotRequired[int]


class ReadSharedReportBody(TypedDict):
    # Of the link, `report_...`.
    token: str


class ReadScreensNowAnswer(TypedDict):
    # One for each screen of the workspace that was asked about.
    data: list[ScreenNow]


class RejectReviewBody(TypedDict):
    # Code of the reason.
    reason: Literal["prohibited_category", "landing_page", "creative_not_ready", "creative_orientation", "restricted_category", "misleading", "content", "policy"]
    # What the owner of the campaign reads; by default the sentence that belongs to the code.
    detail: NotRequired[str]


class RetryDeadLettersBody(TypedDict):
    # Only those that failed there.
    step: NotRequired[Literal["decode", "verify"]]
    # Only those with this reason.
    reason: NotRequired[str]

