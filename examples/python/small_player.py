"""A small player, written from docs/screen-protocol.md and nothing else. It prints what a display would show.

    API=http://127.0.0.1:8080 CODE=482913 python3 small_player.py ./player-state

It keeps what has to survive a restart in that folder, so that it goes on without CODE, and may be ended at any moment. Files are
not loaded before they are shown and offline plans are not asked for; player.py beside it does the first. Needs `websockets`.
"""
import asyncio, json, math, os, random, sys, time, urllib.request
from pathlib import Path
import websockets

WAITS = {4002: (5, 300), 4004: (60, 600), 4005: (15, 120), 4008: (0.2, 5)}  # seconds: the first wait, the longest
HELLO = {"t": "hello", "platform": "linux", "player": "small/1"}
FIELDS = ("ad_ratio", "playlist")
OWN = ("image", "creative", "ai_menu", "sponsorship_card")
BLANK = {"type": "image", "duration_ms": 15_000}


class Screen:
    def __init__(self, file: Path):
        self.file, self.kept = file, json.loads(file.read_text()) if file.exists() else {}
        self.shown = self.kept.setdefault("plays", [])  # with starts_at, until they are acknowledged
        self.back = self.kept.setdefault("back", [])  # ads to hand back
        self.offset = time.time() * 1000 - time.monotonic() * 1000 + self.kept.get("offset", 0)
        self.socket, self.answers, self.number = None, {}, 0
        self.held, self.wake, self.hold_until, self.alone, self.welcomed = {}, asyncio.Event(), 0, False, False

    def now(self) -> int:
        return round(time.monotonic() * 1000 + self.offset)

    def keep(self) -> None:  # whole or not at all, also where the power is cut
        new = self.file.with_suffix(".new")
        with open(new, "w") as out:
            out.write(json.dumps(self.kept))
            out.flush()
            os.fsync(out.fileno())
        os.replace(new, self.file)

    # The connection

    async def connect_forever(self) -> None:
        tries = 0
        while True:
            code, since = 1006, time.monotonic()
            try:
                async with websockets.connect(self.kept["socket_url"], subprotocols=["marquee.v1.json"], max_size=2**20) as socket:
                    try:
                        await self.welcome(socket)
                        self.socket = socket
                        self.wake.set()
                        async for text in socket:
                            self.hear(json.loads(text))
                    finally:
                        self.socket = None
                        await socket.close()
                        code = socket.close_code or 1006
                        for answer in self.answers.values():
                            if not answer.done():
                                answer.set_result(None)
                        # 4004 and 4005 come after a welcome: their waits go on doubling until a connection has lasted
                        if self.welcomed and (code not in (4004, 4005) or time.monotonic() - since > 600):
                            tries = 0
                        self.welcomed = False
            except (OSError, asyncio.TimeoutError, websockets.exceptions.WebSocketException) as error:
                print("connection lost:", code, error)
            if code == 4001:
                return self.forget()
            first, longest = WAITS.get(code, (0.5, 5 if tries < 10 else 30))
            await asyncio.sleep(min(first * 2**tries, longest) * random.uniform(0.5, 1.5))
            tries += 1

    async def welcome(self, socket) -> None:
        while True:
            sent = time.monotonic()
            await socket.send(json.dumps({**HELLO, "token": self.kept["token"], "recent": self.kept.get("recent", [])}))
            message = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if message["t"] == "unpaired":
                return self.forget()
            if message["t"] == "welcome":
                break
            await asyncio.sleep(1)
        self.offset = message["time"] + (time.monotonic() - sent) * 500 - time.monotonic() * 1000
        self.kept.update({name: message[name] for name in FIELDS})
        self.welcomed = True
        self.kept["offset"] = self.offset - (time.time() - time.monotonic()) * 1000
        self.keep()

    def hear(self, message: dict) -> None:
        if message.get("id") in self.answers and not self.answers[message["id"]].done():
            for fill in message.get("slots", []):
                if "play_id" in fill and fill["starts_at"] >= self.kept.get("settled_to", 0):
                    self.held[fill["play_id"]] = fill  # here, since a withdrawal of it may follow directly
            self.answers[message["id"]].set_result(message)
        elif message["t"] == "config":
            self.kept.update({name: message[name] for name in FIELDS if name in message})
        elif message["t"] == "unpaired":
            self.forget()
        elif message["t"] == "withdraw":
            for play_id, fill in list(self.held.items()):
                if fill.get("showing"):
                    continue
                if play_id in message.get("play_ids", []) or any(fill[name] == message.get(name) for name in ("campaign_id", "creative_id")):
                    self.hand_back(play_id, "withdrawn")

    def forget(self) -> None:
        self.file.unlink(missing_ok=True)
        sys.exit("This screen was unpaired: start it again with a new code.")

    async def ask(self, **message):
        """The answer to a message, or None where none comes: the connection is lost then."""
        socket, self.number = self.socket, self.number + 1
        if socket is None:
            return None
        message["id"] = self.number
        answer = self.answers[self.number] = asyncio.get_running_loop().create_future()
        try:
            await socket.send(json.dumps(message))
            return await asyncio.wait_for(answer, 10)
        except (asyncio.TimeoutError, websockets.exceptions.WebSocketException):
            await socket.close()
            return None
        finally:
            del self.answers[message["id"]]

    # What was shown

    def hand_back(self, play_id: str, reason: str) -> None:
        self.held.pop(play_id, None)
        self.back.append({"play_id": play_id, "reason": reason})
        self.keep()
        self.wake.set()

    async def report_forever(self) -> None:
        while True:
            self.wake.clear()
            if self.socket and self.now() >= self.hold_until:
                await self.report()
            for one in list(self.back):
                answer = await self.ask(t="cannot_play", **one)
                if answer and answer.get("code") != "not_ready":
                    self.back.remove(one)
                    self.keep()
                await asyncio.sleep(0.2)
            try:
                pause = max(1, (self.hold_until - self.now()) / 1000) if self.shown else 25
                await asyncio.wait_for(self.wake.wait(), pause)
            except asyncio.TimeoutError:
                pass

    async def report(self) -> None:
        sent = [play for play in self.shown if play.get("not_before", 0) <= self.now()][: 1 if self.alone else 200]
        open_starts = [fill["starts_at"] for fill in self.held.values()] + [play["starts_at"] for play in self.shown if play not in sent]
        settled = min([self.now() - 60_000, *open_starts])
        message = {"t": "plays", "plays": [{name: play[name] for name in ("play_id", "started_at", "played_ms")} for play in sent]}
        if settled > self.kept.get("settled_to", 0):
            message["settled_to"] = self.kept["settled_to"] = settled
            self.keep()
        elif not sent:
            return
        answer = await self.ask(**message)
        if answer is None or answer.get("code") == "not_ready":
            self.hold_until = self.now() + 5_000
        elif answer["t"] == "error":  # one of them is at fault: one by one, and the one that is refused alone goes
            if self.alone:
                self.shown.remove(sent[0])
            self.alone = True
        else:
            self.alone = False
            early = {one["play_id"] for one in answer["refused"] if one["reason"] == "before_end"}
            for play in sent:
                if play["play_id"] in early:
                    play["not_before"] = self.now() + 10_000
                else:
                    self.shown.remove(play)
            self.hold_until = self.now() + answer.get("hold_ms", 0)
            print("acknowledged", len(sent), "refused", answer["refused"])
        self.keep()

    # What is shown

    async def until(self, at: float) -> None:
        await asyncio.sleep(max(0, (at - self.now()) / 1000))

    async def show_forever(self) -> None:
        while "playlist" not in self.kept:
            await asyncio.sleep(0.1)
        while True:
            known = [item for item in self.kept["playlist"] if item["type"] in OWN or item["type"] == "ad_slot"]
            await self.show_playlist(known, self.kept["ad_ratio"], self.kept["playlist"])

    async def show_playlist(self, items: list, ratio: float, sent: list) -> None:
        """Shows a playlist from its beginning until another one takes its place."""
        due, at, end = [0.0] * len(items), 0, self.now()

        def is_due(place: int) -> bool:  # what falls due there in this loop is added
            more = items[place]["ad_ms"]
            due[place] = math.inf if more is None else min(60_000, due[place] + more)
            return ratio > 0 and due[place] > 0

        def block_after(place: int) -> tuple[list, int]:
            """The own items that fill the time of a slot, and the place for ads behind them."""
            block, length, behind = [], 0, place
            for step in range(16 * len(items)):  # by then some place is due, as a rule
                behind = (behind + 1) % len(items)
                due_there = items[behind]["type"] == "ad_slot" and is_due(behind)
                if items[behind]["type"] in OWN:
                    block.append(items[behind])
                    length += items[behind]["duration_ms"]
                elif behind == place and not block:
                    return [BLANK], place
                elif length >= 15_000 and (due_there or step >= 15 * len(items) and items[behind]["ad_ms"]):
                    break
            return block, behind

        if not any(item["type"] in OWN for item in items) and (ratio == 0 or not items):
            items, due = [BLANK], [0.0]
        place = None
        while place is not None or (sent, ratio) == (self.kept["playlist"], self.kept["ad_ratio"]):
            if place is None:  # nothing is due yet: own content without asking
                if items[at]["type"] in OWN:
                    end = await self.show_own([items[at]], end)
                elif is_due(at):
                    place = at
                at = (at + 1) % len(items)
                continue
            block, behind = block_after(place)
            while fill := await self.fill_at(end, sum(item["duration_ms"] for item in block)):
                end = await self.show_ad(fill)
                due[place] -= fill["duration_ms"]
            end = await self.show_own(block, end)
            place = behind if (sent, ratio) == (self.kept["playlist"], self.kept["ad_ratio"]) else None

    async def fill_at(self, at: int, length: int) -> dict | None:
        await self.until(at - 4_000)
        answer = await self.ask(t="slot", at=at, max_duration_ms=min(length, 3_600_000))
        fill = answer["slots"][0] if answer and answer["t"] == "fill" else {}
        if "play_id" not in fill:
            print("no ad:", fill.get("no_fill", "no answer"))
            return None
        await self.until(at)
        if fill["play_id"] not in self.held:  # withdrawn meanwhile
            return await self.fill_at(at, length)
        if self.now() > fill["expires_at"]:
            self.hand_back(fill["play_id"], "expired")
            return None
        return fill

    async def show_ad(self, fill: dict) -> int:
        started = self.now()
        print("ad", fill["kind"], fill["url"], fill["duration_ms"], "ms")
        fill["showing"] = True
        await self.until(started + fill["duration_ms"])
        del self.held[fill["play_id"]]
        shown = {"play_id": fill["play_id"], "starts_at": fill["starts_at"], "started_at": started, "played_ms": self.now() - started}
        self.shown.append(shown)
        self.kept["recent"] = [fill["play_id"], *self.kept.get("recent", [])][:20]
        self.keep()
        self.wake.set()
        return self.now()

    async def show_own(self, items: list, end: int) -> int:
        for item in items:
            print("own", item["type"], item.get("url", ""), item["duration_ms"], "ms")
            end = max(end, self.now() - 1_000) + item["duration_ms"]
            await self.until(end - (4_000 if item is items[-1] else 0))
        return end


def pair(api: str, code: str) -> dict:
    body = json.dumps({"platform": HELLO["platform"], "player": HELLO["player"]}).encode()
    request = urllib.request.Request(f"{api}/v1/pairing/{code}/confirm", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


async def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "player-state")
    folder.mkdir(parents=True, exist_ok=True)
    screen = Screen(folder / "screen.json")
    if "token" not in screen.kept:
        paired = await asyncio.to_thread(pair, os.environ["API"], os.environ["CODE"])
        screen.kept.update(token=paired["device_token"], socket_url=paired["socket_url"])
        screen.keep()
    await asyncio.gather(screen.connect_forever(), screen.show_forever(), screen.report_forever())


if __name__ == "__main__":
    asyncio.run(main())
