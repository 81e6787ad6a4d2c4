"""The rules of a working day, told minute by minute.

Reads one case (JSON) a line and answers one line for each: the figures and segments of the dates asked for. It is slow and
plain on purpose: of every minute it asks what the minute is. It shares nothing with the program that it judges.
"""

import json
import sys
from datetime import date, datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo

EPOCH = date(1970, 1, 1)
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
CLASSES = ["scheduled", "non_statutory_overtime", "prescribed_holiday", "statutory_overtime", "legal_holiday"]
OFFSETS = {}


@cache
def day_number(text):
    return (date.fromisoformat(text) - EPOCH).days


def day_text(day):
    return (EPOCH + timedelta(days=day)).isoformat()


def minute(text):
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() // 60)


def instant(m):
    return datetime.fromtimestamp(m * 60, timezone.utc).strftime("%Y-%m-%dT%H:%M:00.000Z")


def local(zone, m):
    """The clock of a zone as one number: days x 1440 + minutes of the day. Offsets hold for quarters of an hour."""
    key = (zone, m // 15)
    if key not in OFFSETS:
        at = datetime.fromtimestamp(m // 15 * 900, timezone.utc).astimezone(ZoneInfo(zone))
        OFFSETS[key] = int(at.utcoffset().total_seconds() // 60)
    return m + OFFSETS[key]


def wall(zone, day, clock):
    at = EPOCH + timedelta(days=day + clock // 1440)
    clock %= 1440
    there = datetime(at.year, at.month, at.day, clock // 60, clock % 60, tzinfo=ZoneInfo(zone))
    return int(there.timestamp() // 60)


def clock(text):
    return int(text[:2]) * 60 + int(text[3:])


def latest(rows, day):
    found = None
    for row in rows:
        if day_number(row["effective_from"]) <= day:
            found = row
    return found


class Case:
    def __init__(self, case):
        self.rows = case["organization"]["settings"]
        self.organization = case["organization"]
        self.member = case["member"]
        self.first, self.last = day_number(case["from"]), day_number(case["to"])
        self.plans = {}
        self.frozen = {day_number(one["work_date"]): one for one in self.member["frozen"]}
        self.periods, self.dates, self.nights, self.rows_of_days, self.settlements = {}, {}, {}, {}, {}

    # --- settings, periods, dates -------------------------------------------------------------------------------------

    def settings(self, day):
        if day not in self.rows_of_days:
            dated = latest(self.rows, day) or self.rows[0]
            self.rows_of_days[day] = self.frozen[day]["settings"] if day in self.frozen else dated
        return self.rows_of_days[day]

    def date_of(self, m):
        """The last date that has begun by then, each by the clock of its own zone; days begin with a quarter of an hour."""
        if m // 15 not in self.dates:
            day = m // 1440 + 2
            while local(self.settings(day)["time_zone"], m) // 1440 < day:
                day -= 1
            self.dates[m // 15] = day
        return self.dates[m // 15]

    def is_night(self, m):
        """Between 22:00 and 05:00, which begin with a quarter of an hour too."""
        if m // 15 not in self.nights:
            clock = local(self.settings(self.date_of(m))["time_zone"], m) % 1440
            self.nights[m // 15] = clock >= 1320 or clock < 300
        return self.nights[m // 15]

    def period(self, day):
        """First and last day of the closing period: walked month by month from long before."""
        if day in self.periods:
            return self.periods[day]
        year, month, start = 2020, 1, None
        while True:
            following = date(year + month // 12, month % 12 + 1, 1)
            if start is None:
                closing = self.rows[0]["closing_day"]
            else:
                closing = (latest(self.rows, start) or self.rows[0])["closing_day"]
            end = following - timedelta(days=1) if closing == "end" else date(year, month, closing)
            end = (end - EPOCH).days
            if start is not None and start <= day <= end:
                for one in range(start, end + 1):
                    self.periods[one] = (start, end)
                return (start, end)
            start = end + 1
            year, month = following.year, following.month

    def week(self, day):
        begins = WEEKDAYS.index(self.settings(day)["week_starts_on"])
        while (EPOCH + timedelta(days=day)).weekday() != begins:
            day -= 1
        return day

    # --- what a day asks for ------------------------------------------------------------------------------------------

    def plan(self, day):
        if day not in self.plans:
            self.plans[day] = self.make_plan(day)
        return self.plans[day]

    def make_plan(self, day):
        settings, member, frozen = self.settings(day), self.member, self.frozen.get(day)
        zone, terms = settings["time_zone"], latest(member["terms"], day)
        roster = next((one for one in member["roster"] if day_number(one["date"]) == day), None)
        system = terms["work_system"] if terms else "fixed"
        kind = frozen["day_type"] if frozen else self.day_type(day, settings, system, roster)
        employed = (member["hired_on"] is None or day_number(member["hired_on"]) <= day) and (
            member["left_on"] is None or day <= day_number(member["left_on"])
        )
        schedule = frozen["schedule"] if frozen else self.schedule(terms, roster)
        if frozen:
            leave = frozen["leave"]
        else:
            leave = [one for one in member["leave"] if day_number(one["date"]) == day]
        plan = {
            "type": kind, "system": system, "employed": employed, "terms": terms, "leave": leave, "S": 0, "Q": 0,
            "window": None, "left": [], "scheduled": [], "core": [], "breaks": set(), "taken": 0, "has_core": False,
        }
        if not schedule:
            return plan
        start = clock(schedule["start"])

        def span(begin, end):
            """Minutes between two clock times of the schedule."""
            first = clock(begin) + (1440 if clock(begin) < start else 0)
            last = clock(end)
            while last <= first:
                last += 1440
            return range(wall(zone, day, first), wall(zone, day, last))

        for one in schedule["breaks"]:
            plan["breaks"].update(span(one["start"], one["end"]))
        plan["has_core"] = schedule["core"] is not None
        if kind != "workday" or not employed:
            return plan
        window = span(schedule["start"], schedule["end"])
        plan["window"] = window
        length = clock(schedule["end"]) - start
        while length <= 0:
            length += 1440

        def at(time):
            """A clock time on this day's schedule: the next day's where the window reaches it there."""
            here = clock(time)
            return wall(zone, day, here + 1440 if here < start and here + 1440 < start + length else here)

        half = {
            "am_end": wall(zone, day, clock(schedule["half_day"]["am_end"])
                           + (1440 if clock(schedule["half_day"]["am_end"]) < start else 0)),
            "pm_start": wall(zone, day, clock(schedule["half_day"]["pm_start"])
                             + (1440 if clock(schedule["half_day"]["pm_start"]) < start else 0)),
        }
        gone = set()
        units = {one["unit"] for one in leave}
        for m in window:
            if "full" in units or ("half_am" in units and m < half["pm_start"]):
                gone.add(m)
            if "half_pm" in units and m >= half["am_end"]:
                gone.add(m)
        paid = [m for m in window if m not in plan["breaks"]]
        for one in sorted((x for x in leave if x["unit"] == "hourly"), key=lambda x: at(x["start_time"])):
            wanted, m = one["hours"] * 60, at(one["start_time"])
            free = {x for x in paid if x not in gone}
            ended = m
            while wanted > 0 and m < window.stop:
                if m in free:
                    wanted -= 1
                    ended = m + 1
                m += 1
            gone.update(range(at(one["start_time"]), ended))
        rest = [m for m in window if m not in gone]
        plan["left"] = range(rest[0], rest[-1] + 1) if rest else []
        plan["scheduled"] = [m for m in paid if m not in gone]
        plan["taken"] = len(paid) - len(plan["scheduled"])
        plan["S"] = schedule["minutes"]
        plan["Q"] = 0 if "full" in units else max(0, schedule["minutes"] - plan["taken"])
        if schedule["core"]:
            core = set(span(schedule["core"]["start"], schedule["core"]["end"]))
            plan["core"] = [m for m in plan["scheduled"] if m in core]
        return plan

    def schedule(self, terms, roster):
        wanted = (roster and roster["schedule_id"]) or (terms and terms["schedule_id"])
        for one in self.organization["schedules"]:
            if one["id"] == wanted or (wanted is None and one["is_default"]):
                return one
        return None

    def day_type(self, day, settings, system, roster):
        if roster:
            return roster["day_type"]
        if system == "shift":
            return "prescribed_holiday"
        weekday = WEEKDAYS[(EPOCH + timedelta(days=day)).weekday()]
        plain = "workday"
        if weekday in settings["prescribed_holiday_weekdays"]:
            plain = "prescribed_holiday"
        if weekday == settings["legal_holiday_weekday"]:
            plain = "legal_holiday"
        on = [one for one in self.organization["holidays"] if day_number(one["date"]) == day]
        for one in sorted(on, key=lambda x: x["kind"]):
            counts_as = one["counts_as"] or settings["national_holidays_as"]
            if one["kind"] == "national" and counts_as == "workday":
                return plain
            if counts_as == "prescribed_holiday" and plain == "legal_holiday":
                return plain
            return counts_as
        return plain

    # --- what each minute is ------------------------------------------------------------------------------------------

    def round(self, day, text, which):
        settings, m = self.settings(day), minute(text)
        how, unit = settings["rounding"][which], settings["rounding"]["unit_minutes"]
        step = {"none": 0, "floor": -1, "ceil": 1}[how]
        while step and local(settings["time_zone"], m) % 1440 % unit:
            m += step
        return m

    def sessions(self):
        """In order of time, rounded, each time at least the one before it."""
        told, last = [], -(10**12)
        for one in sorted(self.member["sessions"], key=lambda x: x["clock_in_at"]):
            day = day_number(one["work_date"])

            def at(text, which):
                nonlocal last
                last = max(last, self.round(day, text, which))
                return last

            begin = at(one["clock_in_at"], "clock_in")
            breaks = []
            for pause in one["breaks"]:
                from_ = at(pause["start_at"], "break_start")
                breaks.append((from_, at(pause["end_at"], "break_end") if pause["end_at"] else None))
            end = at(one["clock_out_at"], "clock_out") if one["clock_out_at"] else None
            told.append({"day": day, "begin": begin, "end": end, "breaks": breaks})
        return told

    def minutes(self, told):
        """Of every minute in a session: its work date, and whether it is work, break or ignored."""
        approved = set()
        for one in self.member["overtime"]:
            if one["kind"] == "before":
                approved.update(range(minute(one["planned_start_at"]), minute(one["planned_end_at"])))
        what, everybody, automatic = {}, set(), {}
        for one in told:
            if one["end"] is not None:
                everybody.update(range(one["begin"], one["end"]))
        for day in sorted({one["day"] for one in told}):
            plan, settings = self.plan(day), self.settings(day)
            own = [one for one in told if one["day"] == day]
            counted = []
            for one in own:
                if one["end"] is None:
                    continue
                for m in range(one["begin"], one["end"]):
                    early = (
                        settings["early_clock_in"] == "ignore_unless_approved"
                        and plan["system"] not in ("flexible", "discretionary")
                        and plan["window"] is not None
                        and m < plan["window"].start
                        and m not in approved
                    )
                    if early:
                        what[m] = (day, "ignored")
                    else:
                        counted.append(m)
            pauses = set()
            if any(one["breaks"] for one in own):
                for one in own:
                    for from_, to in one["breaks"]:
                        pauses.update(range(from_, to if to is not None else (one["end"] or from_)))
            elif settings["break_mode"] == "auto_schedule":
                pauses = {m for m in counted if m in plan["breaks"]}
            elif settings["break_mode"] == "auto_statutory" and counted:
                gap = sum(1 for m in range(counted[0], counted[-1]) if m not in everybody)
                total, b = len(counted), 0
                while (total - b > 360 and b + gap < 45) or (total - b > 480 and b + gap < 60):
                    b += 1
                pauses = set([m for m in counted if m in plan["breaks"]][:b])
                for m in counted[360:]:
                    if len(pauses) < b:
                        pauses.add(m)
            if not any(one["breaks"] for one in own) and pauses:
                automatic[day] = len(pauses)
            for m in counted:
                what[m] = (day, "break" if m in pauses else "work")
        return what, everybody, automatic

    def bucket(self, work_day, m):
        here = self.date_of(m)
        if here == work_day:
            return here
        if self.plan(here)["type"] == "legal_holiday":
            return here
        for day in range(min(work_day, here), max(work_day, here) + 1):
            if self.plan(day)["type"] == "legal_holiday":
                return here
        for day in range(here, work_day, -1):
            left = self.plan(day)["left"]
            if left and left[0] <= m:
                return day
        return work_day

    # --- answers ------------------------------------------------------------------------------------------------------

    def answer(self):
        told = self.sessions()
        what, everybody, automatic = self.minutes(told)
        buckets, mine = {}, {}
        for m in sorted(what):
            day = self.bucket(what[m][0], m)
            buckets.setdefault(day, []).append(m)
        approved = set()
        for one in self.member["overtime"]:
            approved.update(range(minute(one["planned_start_at"]), minute(one["planned_end_at"])))
        added, counted, answers = {}, {}, []
        whole = any(one["work_system"] in ("flexible", "variable_monthly") for one in self.member["terms"])
        begin = self.period(self.first)[0] if whole else self.first
        for day in range(min(begin, self.first) - 8, self.last + 1):
            if day in self.frozen:
                added[day] = self.frozen[day]["week_minutes"]
                continue
            plan, bucket = self.plan(day), buckets.get(day, [])
            work = [m for m in bucket if what[m][1] == "work"]
            week_of = [one for one in range(self.week(day), self.week(day) + 7)]
            first, limit, weekly = self.week(day), 480, self.settings(day)["weekly_statutory_minutes"]
            period = self.period(day)
            if plan["system"] == "variable_monthly":
                limit = max(480, plan["S"])
                part = [one for one in week_of if period[0] <= one <= period[1]]
                planned = sum(self.plan(x)["S"] for x in part if self.plan(x)["system"] == "variable_monthly")
                weekly, first = max(weekly * len(part) // 7, planned), part[0]
            p = sum(added.get(one, 0) for one in range(first, day))
            settled = (plan["system"], period[0])
            deemed = None
            if plan["system"] == "discretionary" and plan["type"] == "workday" and bucket:
                minutes = plan["terms"]["deemed_minutes"]
                deemed = max(0, (plan["S"] if minutes is None else minutes) - plan["taken"])
            classes = {}
            tally = {name: 0 for name in CLASSES}
            tally.update({"daily": 0, "weekly": 0, "night": 0, "night_over": 0, "night_legal": 0, "unapproved": 0})
            for index in range(max(len(work), deemed or 0)):
                n = index + 1
                m = work[index] if index < len(work) else None
                name, part = self.class_of(plan, n, m, p, limit, weekly, counted, settled, day)
                beyond = deemed is not None and n > deemed
                if beyond:
                    name, part = "scheduled", None
                if m is not None:
                    classes[m] = name
                    night = self.is_night(m)
                    tally["night"] += night
                    tally["night_over"] += night and name == "statutory_overtime"
                    tally["night_legal"] += night and name == "legal_holiday"
                    tally["unapproved"] += name != "scheduled" and m not in approved
                if not beyond:
                    tally[name] += 1
                    if part:
                        tally[part] += 1
            worked = sum(tally[name] for name in CLASSES)
            added[day] = 0 if plan["type"] == "legal_holiday" else min(worked, limit)
            if day < self.first:
                continue
            answers.append(self.record(day, plan, bucket, work, worked, tally, what, everybody, classes, told,
                                       automatic.get(day, 0), added[day]))
        return answers

    def class_of(self, plan, n, m, p, limit, weekly, counted, settled, day):
        if plan["system"] == "exempt":
            return "scheduled", None
        if plan["type"] == "legal_holiday":
            return "legal_holiday", None
        if plan["system"] == "flexible":
            counted[settled] = counted.get(settled, 0) + 1
            required, most = self.settlement(plan["system"], day)
            if counted[settled] > most:
                return "statutory_overtime", None
            return ("scheduled" if counted[settled] <= required else "non_statutory_overtime"), None
        if n > limit:
            return "statutory_overtime", "daily"
        if p + n > weekly:
            return "statutory_overtime", "weekly"
        if plan["system"] == "variable_monthly":
            counted[settled] = counted.get(settled, 0) + 1
            if counted[settled] > self.settlement(plan["system"], day)[1]:
                return "statutory_overtime", None
        if plan["type"] != "workday":
            return "prescribed_holiday", None
        if self.settings(day)["scheduled_basis"] == "window" and plan["system"] != "discretionary":
            isScheduled = m in self.scheduled_set(day)
        else:
            isScheduled = n <= plan["Q"]
        return ("scheduled" if isScheduled else "non_statutory_overtime"), None

    def scheduled_set(self, day):
        plan = self.plan(day)
        if "set" not in plan:
            plan["set"] = set(plan["scheduled"])
        return plan["set"]

    def settlement(self, system, day):
        start, end = self.period(day)
        key = (system, start)
        if key not in self.settlements:
            days = [x for x in range(start, end + 1) if self.plan(x)["system"] == system and self.plan(x)["employed"]]
            required, weeks, most = 0, 0, 0
            for one in days:
                plan = self.plan(one)
                required += plan["Q"]
                if system == "flexible" and plan["terms"]["flexible_limit"] == "workdays":
                    most += 480 if plan["type"] == "workday" else 0
                else:
                    weeks += self.settings(one)["weekly_statutory_minutes"]
            self.settlements[key] = (required, most + weeks // 7)
        return self.settlements[key]

    def record(self, day, plan, bucket, work, worked, tally, what, everybody, classes, told, automatic, added):
        breaks = sum(1 for m in bucket if what[m][1] == "break")
        ignored = sum(1 for m in bucket if what[m][1] == "ignored")
        counted = [m for m in bucket if what[m][1] != "ignored"]
        gaps = [m for m in range(counted[0], counted[-1]) if m not in everybody] if counted else []
        need = 60 if len(work) > 480 else 45 if len(work) > 360 else 0
        late, early, absence, absent, present = self.missed(day, plan, bucket, worked, everybody, told)
        kinds = {m: classes.get(m, what[m][1]) for m in bucket}
        kinds.update({m: "gap" for m in gaps})
        segments = []
        for m in sorted(kinds):
            night = self.is_night(m)
            if segments and segments[-1][1] == m and segments[-1][2:] == [kinds[m], night]:
                segments[-1][1] = m + 1
            else:
                segments.append([m, m + 1, kinds[m], night])
        return {
            "work_date": day_text(day), "day_type": plan["type"],
            "presence_minutes": len(bucket), "ignored_minutes": ignored, "break_minutes": breaks,
            "worked_minutes": worked,
            **{name + "_minutes": tally[name] for name in CLASSES},
            "daily_overtime_minutes": tally["daily"], "weekly_overtime_minutes": tally["weekly"],
            "night_minutes": tally["night"], "night_statutory_overtime_minutes": tally["night_over"],
            "night_legal_holiday_minutes": tally["night_legal"],
            "late_minutes": late, "early_leave_minutes": early, "absence_minutes": absence,
            "unworked_gap_minutes": len(gaps), "required_minutes": plan["Q"], "week_minutes": added,
            "automatic_break_minutes": automatic, "unapproved_overtime_minutes": tally["unapproved"],
            "has_break_shortage": plan["system"] != "exempt" and breaks + len(gaps) < need,
            "is_absence": absent, "has_presence": present,
            "segments": [{"start_at": instant(a), "end_at": instant(b), "class": c, "night": d} for a, b, c, d in segments],
        }

    def missed(self, day, plan, bucket, worked, everybody, told):
        """Late, early, absent, whether it is an absence day, whether anybody was there."""
        left = plan["left"]
        there = set(bucket)
        there.update(m for m in left if m in everybody)
        for one in told:
            if one["end"] is None and one["day"] == day:
                there.update(range(one["begin"], max([one["begin"] + 1, *(left[-1:] and [left[-1] + 1])])))
            elif one["end"] is not None and (one["day"] == day or (left and one["begin"] <= left[-1] and left[0] < one["end"])):
                there.update(range(one["begin"], one["end"]))
        present = bool(there)
        if plan["type"] != "workday" or not plan["employed"] or plan["system"] == "exempt":
            return 0, 0, 0, False, present
        free = plan["system"] in ("flexible", "discretionary")
        if plan["system"] == "flexible" and not plan["has_core"]:
            return 0, 0, 0, False, present
        if not (present if free else any(m in there for m in left)):
            return 0, 0, max(0, plan["Q"] - worked), not present and not plan["leave"], present
        asked = plan["core"] if plan["system"] == "flexible" else plan["scheduled"]
        if plan["system"] == "discretionary" or not asked:
            return 0, 0, 0, False, present
        begin, end = (asked[0], asked[-1] + 1) if plan["system"] == "flexible" else (left[0], left[-1] + 1)
        after = [m for m in there if m >= begin]
        before = [m for m in there if m < end]
        late = sum(1 for m in asked if after and m < min(after))
        early = sum(1 for m in asked if before and m > max(before) and not (after and m < min(after)))
        return late, early, 0, False, present


for line in sys.stdin:
    print(json.dumps(Case(json.loads(line)).answer()), flush=True)
