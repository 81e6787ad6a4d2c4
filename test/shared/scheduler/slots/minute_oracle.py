"""The rules of slots, told minute by minute.

Reads one case (JSON) a line and answers one line for each: the starts that are offered, and of every aligned minute why it is
bookable or not. It is slow and plain on purpose: every minute is looked at. It shares nothing with the program that it judges.
A line with `zones` is answered with the offsets of these every hour, to see whether both know the same clocks.
"""

import json
import sys
from datetime import date, datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo

MINUTE = 60_000
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
REASONS = [
    "past", "too_soon", "beyond_window", "not_aligned", "outside_hours", "busy", "buffer", "seats_full", "limit_reached",
    "calendar_unavailable",
]


@cache
def offset(zone, quarter):
    """In minutes. Clocks change at quarters of an hour."""
    return int((EPOCH + timedelta(minutes=quarter * 15)).astimezone(ZoneInfo(zone)).utcoffset().total_seconds()) // 60


def local(zone, minute):
    """Minutes since 1970-01-01 00:00 on the clock of a zone."""
    return minute + offset(zone, minute // 15)


def date_of(zone, minute):
    return date(1970, 1, 1) + timedelta(days=local(zone, minute) // 1440)


def wall(zone, day, clock):
    """The minute at which a clock shows a time: a skipped one is later by the gap, a repeated one is the first."""
    hours, minutes = int(clock[:2]), int(clock[3:])
    day += timedelta(days=hours // 24)
    there = datetime(day.year, day.month, day.day, hours % 24, minutes, tzinfo=ZoneInfo(zone), fold=0)
    return int((there.astimezone(timezone.utc) - EPOCH).total_seconds()) // 60


class Case:
    def __init__(self, case):
        self.question = question = case["question"]
        self.type = question["event_type"]
        self.zone = self.type["time_zone"]
        self.duration = self.type["duration_minutes"]
        self.interval = self.type["slot_interval_minutes"] or self.duration
        self.step = next((step for step in (60, 30, 20, 15, 10, 5) if self.interval % step == 0), 1)
        self.now = question["now"]
        self.today = date_of(self.zone, self.now // MINUTE)
        self.holidays = set(question["holidays"])
        self.from_, self.to = case["from"], case["to"]
        # Two dates more on each side hold all minutes of the dates that the range touches, in every zone.
        self.first, self.last = self.from_ // MINUTE - 2880, self.to // MINUTE + 2880
        self.last_date = self.latest_date()
        self.open = [self.open_minutes(host) for host in question["hosts"]]
        self.sessions = {
            session["start"] // MINUTE: session
            for session in question["sessions"]
            if session["end"] - session["start"] == self.duration * MINUTE
        }
        self.counted = [(date_of(self.zone, one["start"] // MINUTE), one["end"] - one["start"]) for one in question["counted"]]
        self.full = {}

    # --- the rules, by their numbers --------------------------------------------------------------------------------

    def open_minutes(self, host):
        """Rule 1: of each minute, for how many minutes from it on the member is there without a break."""
        there = set()
        zone = host["time_zone"]
        overrides = {one["date"]: one["intervals"] for one in host["overrides"]}
        day, end = date_of(zone, self.first) - timedelta(days=3), date_of(zone, self.last) + timedelta(days=3)
        while day <= end:
            name = DAYS[day.weekday()]
            windows = [window for window in host["weekly"] if name in window["days"]]
            if host["closed_on_holidays"] and day.isoformat() in self.holidays:
                windows = []
            windows = overrides.get(day.isoformat(), windows)
            for window in windows:
                next_date = day + timedelta(days=1 if window["end"] < window["start"] else 0)
                there.update(range(wall(zone, day, window["start"]), wall(zone, next_date, window["end"])))
            day += timedelta(days=1)
        runs = {}
        for minute in range(self.last + 2880, self.first - 1, -1):
            if minute in there:
                runs[minute] = runs.get(minute + 1, 0) + 1
        return runs

    def refusing(self, host, minute, buffers):
        """Rule 2: the blocks that refuse a start, the one that begins first before the others."""
        start, end = minute * MINUTE, (minute + self.duration) * MINUTE
        found = []
        for block in host["blocks"]:
            if block["end"] <= block["start"]:
                continue
            before = (block["buffer_before_minutes"] + self.type["buffer_after_minutes"]) * MINUTE * buffers
            after = (block["buffer_after_minutes"] + self.type["buffer_before_minutes"]) * MINUTE * buffers
            if start < block["end"] + after and end > block["start"] - before:
                found.append((block["start"] - before, len(found), block))
        return min(found)[2] if found else None

    def aligned(self, minute):
        """Rule 3."""
        return local(self.zone, minute) % 60 % self.step == 0

    def latest_date(self):
        window, furthest = self.type["booking_window"], self.today + timedelta(days=730)
        if window["type"] == "rolling_days":
            return min(furthest, self.today + timedelta(days=window["days"]))
        if window["type"] == "range":
            return min(furthest, date.fromisoformat(window["to"]))
        if window["type"] == "none":
            return furthest
        day, left = self.today, window["days"]
        while left > 0 and day < furthest:
            day += timedelta(days=1)
            if day.weekday() < 5 and day.isoformat() not in self.holidays:
                left -= 1
        return day

    def bound(self, minute):
        """Rule 4: the reason for which a start is out of bounds."""
        if minute * MINUTE < self.now:
            return "past"
        if minute * MINUTE < self.now + self.type["min_notice_minutes"] * MINUTE:
            return "too_soon"
        day, window = date_of(self.zone, minute), self.type["booking_window"]
        early = window["type"] == "range" and day < date.fromisoformat(window["from"])
        return "beyond_window" if early or day > self.last_date else None

    def limited(self, minute):
        """Rule 5."""
        day = date_of(self.zone, minute)
        if day not in self.full:
            self.full[day] = self.is_full(day)
        return self.full[day]

    def is_full(self, day):
        limits = self.type["limits"]
        monday = self.question["week_starts_on"] == "monday"

        def week(one):
            return one - timedelta(days=one.weekday() if monday else (one.weekday() + 1) % 7)

        same_day = [length for one, length in self.counted if one == day]
        same_week = [one for one, _ in self.counted if week(one) == week(day)]
        same_month = [one for one, _ in self.counted if (one.year, one.month) == (day.year, day.month)]
        for limit, count in (("per_day", same_day), ("per_week", same_week), ("per_month", same_month)):
            if limits[limit] is not None and len(count) >= limits[limit]:
                return True
        minutes = limits["minutes_per_day"]
        return minutes is not None and sum(same_day) + self.duration * MINUTE > minutes * MINUTE

    # --- a start ------------------------------------------------------------------------------------------------------

    def member(self, place, minute):
        """The reason of one member, and the block behind it."""
        host, session = self.question["hosts"][place], self.sessions.get(minute)
        early = self.bound(minute) or (None if session or self.aligned(minute) else "not_aligned")
        if early:
            return early, None
        if self.open[place].get(minute, 0) < self.duration:
            return "outside_hours", None
        if session:
            return (None, None) if session["seats_left"] > 0 else ("seats_full", None)
        for reason, buffers in (("busy", 0), ("buffer", 1)):
            block = self.refusing(host, minute, buffers)
            if block:
                return reason, {"kind": block["kind"], "id": block["id"]}
        if self.limited(minute):
            return "limit_reached", None
        return (None, None) if host["calendar_works"] else ("calendar_unavailable", None)

    def verdict(self, minute):
        hosts = self.question["hosts"]
        told = [(*self.member(place, minute), place) for place, host in enumerate(hosts) if host["role"] == "required"]
        failed = [(REASONS.index(reason), place, block) for reason, block, place in told if reason]
        if failed:
            rank, place, block = min(failed, key=lambda one: one[:2])
            return {"ok": False, "reason": REASONS[rank], "host": place, "blocked_by": block}
        told = [(*self.member(place, minute), place) for place, host in enumerate(hosts) if host["role"] == "rotating"]
        if not told or any(reason is None for reason, _, _ in told):
            return {"ok": True, "reason": None, "host": None, "blocked_by": None}
        rank, place, block = min(((-REASONS.index(reason), place, block) for reason, block, place in told), key=lambda one: one[:2])
        return {"ok": False, "reason": REASONS[-rank], "host": place, "blocked_by": block}

    def offered(self):
        """Rules 6 to 8."""
        starts, cursor, day = [], None, None
        wanted = {date_of(self.zone, minute) for minute in range(self.from_ // MINUTE, self.to // MINUTE + 1)}
        for minute in range(self.first, self.last):
            today = date_of(self.zone, minute)
            if today != day:
                day, cursor = today, minute
            if day not in wanted or minute < cursor or not self.aligned(minute) or minute in self.sessions:
                continue
            if self.verdict(minute)["ok"]:
                starts.append((minute, self.type["seats_per_slot"]))
                cursor = minute + self.interval
        for minute, session in self.sessions.items():
            if self.verdict(minute)["ok"]:
                starts.append((minute, session["seats_left"]))
        return [
            {"start": minute * MINUTE, "end": (minute + self.duration) * MINUTE, "seats_left": seats}
            for minute, seats in sorted(starts)
            if self.from_ <= minute * MINUTE < self.to
        ]

    def explained(self):
        minutes = range(self.from_ // MINUTE, self.to // MINUTE + 1)
        return [
            {"start": minute * MINUTE, **self.verdict(minute)}
            for minute in minutes
            if self.from_ <= minute * MINUTE < self.to and self.aligned(minute)
        ]


def answer(case):
    if "zones" in case:
        quarters = range(case["from"] // MINUTE // 15, case["to"] // MINUTE // 15, 4)
        return [[offset(zone, quarter) for quarter in quarters] for zone in case["zones"]]
    asked = Case(case)
    return {"offered": asked.offered(), "explained": asked.explained()}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
