#!/usr/bin/env python3
"""A Marquee screen in one file, written to docs/screen-protocol.md.

    player.py --api http://127.0.0.1:8080 --code 482913    pairs, then plays
    player.py                                              plays with the token that it kept

It has no picture: what a screen would show, it prints for as long as it would be shown. Everything else is whole: pairing,
connections, turns of ads and own content, files, reports that survive a restart. Offline plans are left out.
"""
import argparse
import asyncio
import contextlib
import hashlib
import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import msgpack
import websockets

PLATFORM, VERSION = "linux", "python-example/1"

ANSWER_S = 10
# Less than a slot is asked for ahead, so that the picture does not wait for a server that is gone.
SLOT_ANSWER_S = 3
ASK_AHEAD_MS = 4_000
EARLY_MS_MAX = 5_000
CUT_TOLERANCE_MS = 500
PLAYS_PER_MESSAGE_MAX = 200
RECENT_MAX = 20
RETRY_S = 5
BEFORE_END_S = 10
SETTLED_AFTER_MS = 60_000
SETTLE_EVERY_S = 25
# Half of what a screen may send, so that slots and reports together stay below it.
MESSAGES_PER_SECOND = 5
CACHE_BYTES_MAX = 2 * 1024**3

UNPAIRED, REPLACED, TOO_MANY, NO_CLOSE_FRAME = 4001, 4004, 4005, 1006
# By close code: the first wait and the longest, in seconds.
WAITS = {4002: (5, 300), REPLACED: (60, 600), TOO_MANY: (15, 120), 4008: (0.2, 5)}
# Where a connection was lost: the server is mostly back within the time of the first sixteen attempts.
USUAL_WAIT, USUAL_WAIT_LATER = (0.5, 2.5), (0.5, 30)
SOON_ATTEMPTS = 16
LASTING_S = 600


def log(*words):
    print(time.strftime("%H:%M:%S"), *words, flush=True)


def steady_ms():
    """A clock that never jumps. Linux has one that also counts while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME) * 1_000
    return time.monotonic() * 1_000


class Unpaired(Exception):
    """This device is no screen any more."""


class Lost(Exception):
    """The connection ended while an answer was awaited."""


class Store:
    """What survives a restart. Each change is written whole and is on the disk before anything relies on it."""

    EMPTY = {
        "token": None,
        "socket_url": None,
        "settled_to": 0,
        "plays": [],
        "hand_backs": [],
        "held": [],
        "showing": None,
        "recent": [],
        "playlist": [],
        "ad_ratio": 0,
        "clock_offset_ms": 0,
    }

    def __init__(self, path):
        self.path = path
        self.values = self.fresh()
        with contextlib.suppress(FileNotFoundError):
            self.values.update(json.loads(path.read_text()))

    def fresh(self):
        return json.loads(json.dumps(self.EMPTY))

    def __getitem__(self, name):
        return self.values[name]

    def set(self, **changes):
        self.values.update(changes)
        written = self.path.with_suffix(".tmp")
        # The token is a secret: nobody else may read the file.
        with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(self.values, file)
            file.flush()
            os.fsync(file.fileno())
        written.replace(self.path)

    def clear(self, **changes):
        self.set(**{**self.fresh(), **changes})


class Files:
    """Files of ads on the device, by their address. What was shown last is kept longest."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path_of(self, url):
        return self.folder / hashlib.sha256(url.encode()).hexdigest()

    def used(self, url):
        """The file, or None where it has to be shown from its address."""
        path = self.path_of(url)
        if not path.exists():
            return None
        os.utime(path)
        return path

    def load(self, url, sha256):
        path = self.path_of(url)
        if path.exists():
            return
        with urllib.request.urlopen(url, timeout=30) as answer:
            content = answer.read()
        if hashlib.sha256(content).hexdigest() != sha256.lower():
            raise OSError("its content is not what was announced")
        written = path.with_suffix(".tmp")
        written.write_bytes(content)
        written.replace(path)
        self.make_room()

    def make_room(self):
        files = sorted(self.folder.iterdir(), key=lambda path: path.stat().st_mtime)
        size = sum(path.stat().st_size for path in files)
        for path in files[:-1]:
            if size <= CACHE_BYTES_MAX:
                return
            size -= path.stat().st_size
            path.unlink()


class Turns:
    """Whose turn it is. At an ad slot where ad time is due the screen asks for a slot as long as its own items that come
    next (a block). Filled, the ad is shown and the same place is asked for again; not filled, the block is shown. So the
    server sees every moment once, and can keep the share of ads."""

    SLOT_MS = 15_000
    SLOT_MS_MAX = 3_600_000
    DUE_MS_MAX = 60_000
    # A place that had far more than its share is passed over for so many loops at most.
    LOOPS_MAX = 16
    SHOWN_TYPES = ("image", "creative", "ai_menu", "sponsorship_card")

    def start(self, playlist, ad_ratio):
        """Begins a playlist. What stands before its first ad slot is shown without asking."""
        self.ad_ratio = ad_ratio
        self.items = [item for item in playlist if item["type"] in (*self.SHOWN_TYPES, "ad_slot")]
        self.position, self.dues, self.is_due = -1, [0] * len(self.items), False
        self.waiting = []
        self._take(self._walk(0))

    def next(self):
        """`("ask", max_duration_ms)`, to be followed by `filled` or `unfilled`, or `("own", item)`."""
        if not self.waiting:
            self.block = self._walk(self.SLOT_MS)
            items = self.block[0]
            if not items:
                items.append({"type": "blank card", "duration_ms": self.SLOT_MS})
            if self.is_due and self.ad_ratio > 0:
                length_ms = sum(item["duration_ms"] for item in items)
                return "ask", max(self.SLOT_MS, min(self.SLOT_MS_MAX, length_ms))
            self._take(self.block)
        return "own", self.waiting.pop(0)

    def filled(self, duration_ms):
        self.dues[self.position] -= duration_ms

    def unfilled(self):
        self._take(self.block)

    def _take(self, block):
        self.waiting, self.position, self.dues, self.is_due = block

    def _walk(self, least_ms):
        """Own items from here to the next ad slot that is due, `least_ms` of them; that place, what is due then, and
        whether it is an ad slot."""
        own, dues, position, passed_ms = [], list(self.dues), self.position, 0
        has_own = any(item["type"] != "ad_slot" for item in self.items)
        for _ in range(len(self.items) * self.LOOPS_MAX):
            position = (position + 1) % len(self.items)
            item = self.items[position]
            if item["type"] != "ad_slot":
                own.append(item)
                passed_ms += item["duration_ms"]
                continue
            ad_ms = self.DUE_MS_MAX if item["ad_ms"] is None else item["ad_ms"]
            dues[position] = min(self.DUE_MS_MAX, dues[position] + ad_ms)
            if dues[position] > 0 and (passed_ms >= least_ms or not has_own):
                return own, position, dues, True
        return own, position, dues, False


class Player:
    def __init__(self, options):
        self.options = options
        folder = Path(options.folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.store = Store(folder / "state.json")
        self.files = Files(folder / "files")
        self.turns = Turns()
        self.turns.start(self.store["playlist"], self.store["ad_ratio"])
        # Until the first welcome: the device's clock, corrected by what an earlier run learned.
        self.offset_ms = time.time() * 1_000 + self.store["clock_offset_ms"] - steady_ms()
        self.socket = None
        self.is_welcomed = asyncio.Event()
        self.has_report = asyncio.Event()
        self.answers = {}
        self.prefetches = set()
        self.list_name, self.list_urls = None, []
        self.next_id = 0
        self.allowance, self.allowed_at = MESSAGES_PER_SECOND, time.monotonic()
        self.attempt = self.repeats = 0
        self.hold_until = 0
        self.not_before = {}
        self.plays_per_message = PLAYS_PER_MESSAGE_MAX
        self.shown_to = 0

    async def run(self):
        if not self.store["token"]:
            await self.pair(self.options.code)
        # The ad that was in sight when the player ended.
        if self.store["showing"]:
            self.hand_back(self.store["showing"], "other")
            self.store.set(showing=None)
        await asyncio.gather(self.stay_connected(), self.report_forever(), self.show_forever())

    def now(self):
        """The server's time."""
        return int(steady_ms() + self.offset_ms)

    # Pairing

    async def pair(self, code):
        while True:
            code = code or (await asyncio.to_thread(input, "Code of six digits: ")).strip()
            wait_s = 2
            try:
                pairing = await asyncio.to_thread(self.confirm, code)
                self.store.clear(token=pairing["device_token"], socket_url=pairing["socket_url"])
                return log("paired:", pairing["screen_id"])
            except urllib.error.HTTPError as refused:
                log("the code was refused:", refused.code, refused.read(300).decode(errors="replace"))
                if refused.code == 429:
                    wait_s = float(refused.headers.get("retry-after") or 60)
                elif refused.code < 500:
                    code = None
            except OSError as error:
                log("the server cannot be reached:", error)
            await asyncio.sleep(wait_s)

    def confirm(self, code):
        request = urllib.request.Request(
            f"{self.options.api.rstrip('/')}/v1/pairing/{code}/confirm",
            data=json.dumps({"platform": PLATFORM, "player": VERSION}).encode(),
            headers={"content-type": "application/json"},
            method="POST",
        )
        with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
            return json.load(answer)

    # The connection

    async def stay_connected(self):
        while True:
            connected_at = time.monotonic()
            try:
                code, was_welcomed = await self.connect()
            except Unpaired:
                code, was_welcomed = UNPAIRED, False
            if code == UNPAIRED:
                log("unpaired")
                # All that was kept belongs to a screen that is no more.
                self.store.clear()
                self.turns.start([], 0)
                self.not_before.clear()
                await self.pair(None)
                continue
            wait_s = self.wait_after(code, was_welcomed, time.monotonic() - connected_at)
            log(f"connection ended with {code}, the next one in {wait_s:.1f} s")
            await asyncio.sleep(wait_s)

    def wait_after(self, code, was_welcomed, lasted_s):
        if code in (REPLACED, TOO_MANY):
            # They come after a welcome, which therefore does not begin their count anew.
            self.repeats = 0 if lasted_s >= LASTING_S else self.repeats + 1
            doublings = max(0, self.repeats - 1)
        else:
            self.attempt = 0 if was_welcomed else self.attempt + 1
            doublings = self.attempt
        usual = USUAL_WAIT if doublings < SOON_ATTEMPTS else USUAL_WAIT_LATER
        first_s, longest_s = WAITS.get(code, usual)
        # Spread, so that the screens of a street do not return in the same instant.
        return min(longest_s, first_s * 2 ** min(doublings, 30)) * random.uniform(0.5, 1.5)

    async def connect(self):
        """One connection from its upgrade to its end: the close code, and whether it was welcomed."""
        code = NO_CLOSE_FRAME
        subprotocol = "marquee.v1.msgpack" if self.options.msgpack else "marquee.v1.json"
        try:
            async with websockets.connect(
                self.store["socket_url"],
                subprotocols=[subprotocol],
                open_timeout=ANSWER_S,
                ping_interval=20,
                ping_timeout=ANSWER_S,
                close_timeout=2,
            ) as self.socket:
                await self.listen(self.socket)
        except websockets.ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else NO_CLOSE_FRAME
        except (OSError, TimeoutError, asyncio.TimeoutError, Lost, websockets.WebSocketException) as error:
            log("connection:", type(error).__name__, error)
        finally:
            was_welcomed = self.is_welcomed.is_set()
            self.is_welcomed.clear()
            self.socket = None
            for answer in self.answers.values():
                if not answer.done():
                    answer.set_exception(Lost())
        return code, was_welcomed

    async def listen(self, socket):
        hello_at = await self.hello()
        while True:
            # Pings look after a connection that was welcomed.
            frame = await asyncio.wait_for(socket.recv(), None if self.is_welcomed.is_set() else ANSWER_S)
            message = self.decoded(frame)
            if message.get("t") == "welcome":
                self.welcomed(message, hello_at)
            elif message.get("t") == "error" and not self.is_welcomed.is_set():
                if message["code"] != "not_ready":
                    raise Lost(message["message"])
                # The hello did not come, or cannot be answered now.
                await asyncio.sleep(1)
                hello_at = await self.hello()
            else:
                self.hear(message)

    async def hello(self):
        hello_at = steady_ms()
        message = {
            "t": "hello",
            "token": self.store["token"],
            "platform": PLATFORM,
            "player": VERSION,
            "time": int(time.time() * 1_000),
            "recent": self.store["recent"],
        }
        # A list of which a file is missing is sent again.
        if self.list_name and all(self.files.path_of(url).exists() for url in self.list_urls):
            message["list"] = self.list_name
        await self.send(message)
        return hello_at

    def welcomed(self, message, hello_at):
        received_at = steady_ms()
        server_ms = message["time"] + (received_at - hello_at) / 2
        self.offset_ms = server_ms - received_at
        self.store.set(clock_offset_ms=server_ms - time.time() * 1_000)
        self.configure(message)
        self.is_welcomed.set()
        self.has_report.set()
        log("connected as", message["screen_id"])

    def configure(self, message):
        playlist = message.get("playlist", self.store["playlist"])
        ad_ratio = message.get("ad_ratio", self.store["ad_ratio"])
        # An equal playlist goes on where it stands.
        if playlist != self.store["playlist"] or ad_ratio != self.store["ad_ratio"]:
            self.store.set(playlist=playlist, ad_ratio=ad_ratio)
            self.turns.start(playlist, ad_ratio)

    def hear(self, message):
        kind = message.get("t")
        if kind == "fill":
            # Held at once: a withdrawal may be the very next message.
            self.store.set(held=self.store["held"] + [slot for slot in message["slots"] if "play_id" in slot])
        if kind in ("fill", "ack", "error"):
            answer = self.answers.get(message.get("id"))
            if answer and not answer.done():
                answer.set_result(message)
        elif kind == "config":
            self.configure(message)
        elif kind == "withdraw":
            self.withdraw(message)
        elif kind == "prefetch":
            if "list" in message:
                self.list_name = message["list"]
                self.list_urls = [asset["url"] for asset in message["assets"]]
            loading = asyncio.create_task(self.prefetch(message["assets"]))
            self.prefetches.add(loading)
            loading.add_done_callback(self.prefetches.discard)
        elif kind == "unpaired":
            raise Unpaired()

    def decoded(self, frame):
        message = msgpack.unpackb(frame) if isinstance(frame, bytes) else json.loads(frame)
        if self.options.verbose:
            log("<", json.dumps(message)[:1_000])
        return with_integers(message) if isinstance(message, dict) else {}

    async def send(self, message):
        while self.allowance < 1:
            await asyncio.sleep(0.1)
            now = time.monotonic()
            self.allowance += (now - self.allowed_at) * MESSAGES_PER_SECOND
            self.allowed_at = now
        self.allowance = min(MESSAGES_PER_SECOND, self.allowance) - 1
        if self.socket is None:
            raise Lost()
        if self.options.verbose:
            log(">", json.dumps({**message, "token": "..."} if "token" in message else message)[:1_000])
        try:
            await self.socket.send(msgpack.packb(message) if self.options.msgpack else json.dumps(message))
        except websockets.ConnectionClosed:
            raise Lost() from None

    async def ask(self, message):
        """The answer to a message. A connection without one in time is lost: a pulled cable tells nobody."""
        if not self.is_welcomed.is_set():
            raise Lost()
        self.next_id += 1
        number = self.next_id
        answer = self.answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self.send({**message, "id": number})
            return await asyncio.wait_for(answer, ANSWER_S)
        except (TimeoutError, asyncio.TimeoutError):
            if self.socket is not None:
                self.socket.transport.abort()
            raise Lost() from None
        finally:
            del self.answers[number]

    async def prefetch(self, assets):
        for asset in assets:
            try:
                await asyncio.to_thread(self.files.load, asset["url"], asset["sha256"])
            except (OSError, http.client.HTTPException) as error:
                log("a file cannot be loaded:", asset["url"], error)

    def withdraw(self, message):
        play_ids = message.get("play_ids", [])
        for fill in list(self.store["held"]):
            if (
                fill["play_id"] in play_ids
                or fill["campaign_id"] == message.get("campaign_id")
                or fill["creative_id"] == message.get("creative_id")
            ):
                self.hand_back(fill, "withdrawn")

    # What is shown

    async def show_forever(self):
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.is_welcomed.wait(), 3)
        item = await self.choose(self.now())
        while True:
            # Never two ads at once, also where the server's time went back at a welcome.
            await asyncio.sleep(max(0, self.shown_to - steady_ms()) / 1_000)
            if "play_id" in item and not self.take(item):
                item = await self.choose(self.now())
                continue
            self.shown_to = steady_ms() + item["duration_ms"]
            ahead_ms = min(ASK_AHEAD_MS, item["duration_ms"] / 2)
            choosing = asyncio.create_task(
                self.choose_after(item["duration_ms"] - ahead_ms, self.now() + item["duration_ms"])
            )
            await self.show(item)
            item = await choosing

    async def choose_after(self, delay_ms, at):
        await asyncio.sleep(delay_ms / 1_000)
        return await self.choose(at)

    async def choose(self, at):
        """What is shown from `at` on: an ad, or an own item."""
        while True:
            kind, what = self.turns.next()
            if kind == "own":
                return what
            fill = self.held_fill(at) or await self.ask_slot(at, what)
            if fill:
                self.turns.filled(fill["duration_ms"])
                return fill
            self.turns.unfilled()

    def held_fill(self, at):
        for fill in list(self.store["held"]):
            if fill["expires_at"] <= at or fill["starts_at"] < self.store["settled_to"]:
                self.hand_back(fill, "expired")
            elif fill["starts_at"] - EARLY_MS_MAX <= at:
                return fill
        return None

    async def ask_slot(self, at, max_duration_ms):
        slot = {"t": "slot", "at": max(at, self.now()), "max_duration_ms": max_duration_ms}
        try:
            await asyncio.wait_for(self.ask(slot), SLOT_ANSWER_S)
        except (Lost, TimeoutError, asyncio.TimeoutError):
            return None  # a fill that comes later is held for the next turn
        # Not what the answer says: it may have been withdrawn since.
        return self.held_fill(at)

    def take(self, fill):
        """Whether a fill may be started now; it is then the one that is showing."""
        now = self.now()
        if fill not in self.store["held"]:
            return False
        if not (fill["starts_at"] - EARLY_MS_MAX <= now < fill["expires_at"]):
            self.hand_back(fill, "expired" if now >= fill["expires_at"] else "other")
            return False
        held = [other for other in self.store["held"] if other is not fill]
        self.store.set(held=held, showing=fill)
        return True

    async def show(self, item):
        started_at, from_ms = self.now(), steady_ms()
        is_ad = "play_id" in item
        log("ad" if is_ad else "own", item.get("campaign_id") or item["type"], f"for {item['duration_ms']} ms,",
            (item.get("url") and self.files.used(item["url"])) or item.get("url", ""))
        await asyncio.sleep(item["duration_ms"] / 1_000)
        if not is_ad:
            return
        played_ms = int(steady_ms() - from_ms)
        if self.store["showing"] is not item:
            return  # the device was unpaired in the meantime
        if played_ms < item["duration_ms"] - CUT_TOLERANCE_MS:
            return self.hand_back(item, "other")
        play = {"play_id": item["play_id"], "started_at": started_at, "played_ms": played_ms}
        self.store.set(
            plays=self.store["plays"] + [{**play, "starts_at": item["starts_at"]}],
            recent=([item["play_id"]] + self.store["recent"])[:RECENT_MAX],
            showing=None,
        )
        self.has_report.set()

    def hand_back(self, fill, reason):
        self.store.set(
            held=[other for other in self.store["held"] if other is not fill],
            hand_backs=self.store["hand_backs"] + [{"play_id": fill["play_id"], "reason": reason}],
            showing=None if self.store["showing"] is fill else self.store["showing"],
        )
        self.has_report.set()

    # Reports

    async def report_forever(self):
        settled_at = 0
        while True:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.has_report.wait(), 1)
            self.has_report.clear()
            if not self.is_welcomed.is_set():
                continue
            try:
                for hand_back in list(self.store["hand_backs"]):
                    await self.deliver({"t": "cannot_play", **hand_back}, "hand_backs", [hand_back])
                now = time.monotonic()
                plays = [play for play in self.store["plays"] if self.not_before.get(play["play_id"], 0) <= now]
                if now < self.hold_until or not (plays or now - settled_at >= SETTLE_EVERY_S):
                    continue
                settled_at = now
                await self.report(plays[: self.plays_per_message])
            except Lost:
                continue  # what was pending is sent again over the next connection

    async def report(self, plays):
        message = {
            "t": "plays",
            "plays": [{name: play[name] for name in ("play_id", "started_at", "played_ms")} for play in plays],
        }
        settled_to = self.settled_by(plays)
        if settled_to > self.store["settled_to"]:
            self.store.set(settled_to=settled_to)
            message["settled_to"] = settled_to
        await self.deliver(message, "plays", plays)

    def settled_by(self, plays):
        """Every fill that started before this was reported, is in this message, or will never be shown."""
        open_starts = [fill["starts_at"] for fill in self.store["held"]]
        open_starts += [play["starts_at"] for play in self.store["plays"] if play not in plays]
        if self.store["showing"]:
            open_starts.append(self.store["showing"]["starts_at"])
        return min([self.now() - SETTLED_AFTER_MS, *open_starts])

    async def deliver(self, message, name, entries):
        """Sends a report. Its entries leave the store when the server holds them, or will never take them."""
        answer = await self.ask(message)
        if answer["t"] == "error":
            return await self.failed(answer, name, entries)
        early = set()
        for refused in answer.get("refused", []):
            log("refused:", refused["reason"], refused["play_id"])
            if refused["reason"] == "before_end":
                early.add(refused["play_id"])
                self.not_before[refused["play_id"]] = time.monotonic() + BEFORE_END_S
        self.forget(name, [entry for entry in entries if entry["play_id"] not in early])
        if entries:
            log("acknowledged:", len(entries) - len(early), name)
        self.hold_until = time.monotonic() + answer.get("hold_ms", 0) / 1_000
        if not self.store["plays"]:
            self.plays_per_message = PLAYS_PER_MESSAGE_MAX
        if self.store["plays"] and not early:
            self.has_report.set()

    async def failed(self, error, name, entries):
        log("error:", error["code"], error["message"])
        if error["code"] == "not_ready":
            await asyncio.sleep(RETRY_S)
        elif len(entries) > 1:
            self.plays_per_message = 1  # to find the one at fault, which would block all others
        else:
            self.forget(name, entries)

    def forget(self, name, entries):
        for entry in entries:
            self.not_before.pop(entry["play_id"], None)
        self.store.set(**{name: [entry for entry in self.store[name] if entry not in entries]})


def with_integers(value):
    """MessagePack brings times as floats: what is whole becomes an integer."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: with_integers(field) for name, field in value.items()}
    if isinstance(value, list):
        return [with_integers(entry) for entry in value]
    return value


def main():
    parser = argparse.ArgumentParser(description="A Marquee screen that prints what it would show.")
    parser.add_argument("--api", default="http://127.0.0.1:8080", help="address of the API")
    parser.add_argument("--code", help="pairing code of six digits; asked for where it is needed and not given")
    parser.add_argument("--folder", default="marquee-player", help="where the token, plays and files are kept")
    parser.add_argument("--msgpack", action="store_true", help="speak MessagePack instead of JSON")
    parser.add_argument("--verbose", action="store_true", help="print every message")
    with contextlib.suppress(KeyboardInterrupt, EOFError):
        asyncio.run(Player(parser.parse_args()).run())
    sys.exit(0)


if __name__ == "__main__":
    main()
