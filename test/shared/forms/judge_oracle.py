"""Steps 3 to 7 of a submission, told once more from the rules alone.

Reads one form (JSON) a line, with the submissions to judge by it, and answers one line: what becomes of each. It shares nothing
with the program that it judges. Patterns are left out: Python has no RE2.
"""

import json
import re
import sys
import unicodedata
from datetime import date, timedelta
from decimal import Decimal

BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc"
NAME = ["last_name", "first_name", "last_name_kana", "first_name_kana"]
ADDRESS = ["postal_code", "prefecture", "city", "address_line", "building"]
ORDER = [
    "wrong_type", "bad_characters", "invalid_format", "unknown_option", "unknown_file", "too_short", "too_long", "too_few",
    "too_many", "out_of_range",
]


class Fault(Exception):
    """The faults of an answer: pairs of a part and a code."""

    def __init__(self, *faults):
        self.faults = list(faults)


class Unanswered(Exception):
    pass


def first(*found):
    """Raises the fault that comes first in the rules' order."""
    codes = [code for code, is_so in found if is_so]
    if codes:
        raise Fault(("", min(codes, key=ORDER.index)))


def is_blank(value):
    if isinstance(value, str):
        return value.strip(BLANKS) == ""
    return value is None or (isinstance(value, (list, dict)) and len(value) == 0)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def text(value, lines=False, form="NFC"):
    """A text as it is stored."""
    if not isinstance(value, str):
        raise Fault(("", "wrong_type"))
    if any(ord(each) == 0 or 0xD800 <= ord(each) <= 0xDFFF for each in value):
        raise Fault(("", "bad_characters"))
    if not lines and any(0x202A <= ord(each) <= 0x202E or 0x2066 <= ord(each) <= 0x2069 for each in value):
        raise Fault(("", "bad_characters"))
    value = unicodedata.normalize(form, value.replace("\r\n", "\n").replace("\r", "\n"))
    return (value if lines else value.replace("\n", " ")).strip(BLANKS)


def read_text(field, value, today, files):
    is_long = field["type"] == "long_text"
    stored = text(value, is_long)
    most = field.get("max_length", 10000 if is_long else 1000)
    first(("too_short", len(stored) < field.get("min_length", 0)), ("too_long", len(stored) > most))
    return stored


LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@" + LABEL + r"(\." + LABEL + ")*")


def read_email(field, value, today, files):
    stored = text(value)
    first(("invalid_format", not EMAIL.fullmatch(stored)), ("too_long", len(stored) > 254))
    return stored


def read_phone(field, value, today, files):
    stored = re.sub(f"[{DASHES}]", "-", text(value, form="NFKC"))
    digits = sum(each in "0123456789" for each in stored)
    is_phone = 6 <= digits <= 15 and all(each in "0123456789+-() " for each in stored)
    first(("invalid_format", not is_phone), ("too_long", len(stored) > 100))
    return stored


def read_url(field, value, today, files):
    stored = text(value)
    parts = re.fullmatch("(?i:https?)://([^/?#]+)(.*)", stored, re.DOTALL)
    is_address = parts and not any(each in BLANKS for each in stored) and "@" not in parts[1]
    first(("invalid_format", not is_address), ("too_long", len(stored) > 2000))
    return stored


def shortest(number):
    """A decimal in shortest form."""
    shown = format(number, "f")
    shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    return "0" if Decimal(shown) == 0 else shown


def decimal(value):
    """None where it is none, or has more digits than numbers may have."""
    if is_number(value):
        shown = repr(int(value)) if float(value).is_integer() and abs(value) < 1e21 else repr(value)
    else:
        shown = unicodedata.normalize("NFKC", value).strip(BLANKS)
    if not re.fullmatch("-?[0-9]+([.][0-9]+)?", shown) or len(shown) > 100:
        return None
    number = Decimal(shown)
    is_small = abs(number) < 10**15 and len(shortest(number).partition(".")[2]) <= 6
    return number if is_small else None


def read_number(field, value, today, files):
    if not isinstance(value, str) and not is_number(value):
        raise Fault(("", "wrong_type"))
    if isinstance(value, str):
        text(value)
    number = decimal(value)
    if number is None or number * 10 ** field.get("decimals", 0) % 1 != 0:
        raise Fault(("", "invalid_format"))
    is_low = "min" in field and number < decimal(field["min"])
    first(("out_of_range", is_low or ("max" in field and number > decimal(field["max"]))))
    return shortest(number)


def is_day(shown):
    try:
        return re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", shown) and date.fromisoformat(shown)
    except ValueError:
        return False


def is_time(shown):
    return re.fullmatch("[0-9]{2}:[0-9]{2}", shown) and shown[:2] < "24" and shown[3:] < "60"


def is_day_and_time(shown):
    return shown[10:11] == "T" and is_day(shown[:10]) and is_time(shown[11:])


DAYS = {"date": is_day, "time": is_time, "datetime": is_day_and_time}


def bound(shown, today):
    if not shown.startswith("today"):
        return shown
    return (date.fromisoformat(today) + timedelta(days=int(shown[5:] or "0"))).isoformat()


def read_day(field, value, today, files):
    stored = text(value)
    if not DAYS[field["type"]](stored):
        raise Fault(("", "invalid_format"))
    is_early = "min" in field and stored < bound(field["min"], today)
    first(("out_of_range", is_early or ("max" in field and stored > bound(field["max"], today))))
    return stored


def ids(options):
    return [each["id"] for each in options]


def read_option(options, value, may_be_other=False):
    if isinstance(value, str):
        if value not in ids(options):
            raise Fault(("", "unknown_option"))
        return value
    if not may_be_other or not isinstance(value, dict) or list(value) != ["other"]:
        raise Fault(("", "wrong_type"))
    if is_blank(value["other"]):
        raise Unanswered()
    try:
        stored = text(value["other"])
        first(("too_long", len(stored) > 255))
    except Fault as fault:
        raise Fault(*[("/other", code) for _, code in fault.faults]) from None
    return {"other": stored}


def each_part(parts):
    """What pairs of a part and a way to read it give; all their faults at once."""
    stored, faults = [], []
    for part, read in parts:
        try:
            stored.append((part, read()))
        except Unanswered:
            pass
        except Fault as fault:
            faults += [(f"/{part}{deeper}", code) for deeper, code in fault.faults]
    if faults:
        raise Fault(*faults)
    return stored


def read_options(options, value, may_be_other=False, is_sorted=True):
    if not isinstance(value, list):
        raise Fault(("", "wrong_type"))
    parts = [(n, lambda one=one: read_option(options, one, may_be_other)) for n, one in enumerate(value)]
    chosen = [one for _, one in each_part(parts)]
    names = [one if isinstance(one, str) else None for one in chosen]
    first(("invalid_format", len(set(names)) < len(names)))
    if not chosen:
        raise Unanswered()
    order = ids(options)
    return sorted(chosen, key=lambda one: order.index(one) if isinstance(one, str) else 999) if is_sorted else chosen


def read_choice(field, value, today, files):
    return read_option(field["options"], value, field.get("allow_other", False))


def read_choices(field, value, today, files):
    chosen = read_options(field["options"], value, field.get("allow_other", False))
    is_few = len(chosen) < field.get("min_selected", 0)
    first(("too_few", is_few), ("too_many", len(chosen) > field.get("max_selected", 999)))
    return chosen


def read_ranking(field, value, today, files):
    chosen = read_options(field["options"], value, is_sorted=False)
    first(("too_few", len(chosen) < len(field["options"])))
    return chosen


def read_boolean(field, value, today, files):
    if not isinstance(value, bool):
        raise Fault(("", "wrong_type"))
    if field["type"] == "consent" and not value:
        raise Unanswered()
    return value


def read_mark(field, value, today, files):
    if not is_number(value) or value % 1 != 0:
        raise Fault(("", "wrong_type"))
    least, most = {
        "nps": lambda: (0, 10),
        "rating": lambda: (1, field.get("max", 5)),
        "scale": lambda: (field["min"], field["max"]),
    }[field["type"]]()
    first(("out_of_range", not least <= value <= most))
    return int(value)


def fault(part, code):
    raise Fault((part, code))


def read_matrix(field, value, today, files):
    if not isinstance(value, dict):
        raise Fault(("", "wrong_type"))
    rows, columns = ids(field["rows"]), field["columns"]
    read = read_options if field.get("multiple") else read_option
    parts = [
        (row, (lambda one=one: read(columns, one)) if row in rows else (lambda: fault("", "unknown_option")))
        for row, one in value.items()
        if row not in rows or not is_blank(one)
    ]
    stored = dict(each_part(parts))
    if not stored:
        raise Unanswered()
    return stored


def read_parts(field, value, today, files):
    if not isinstance(value, dict):
        raise Fault(("", "wrong_type"))
    is_name = field["type"] == "name"
    known = NAME if is_name else ADDRESS
    needed = (NAME if field.get("kana") else NAME[:2]) if is_name else ADDRESS[:4]
    if all(part in known and is_blank(one) for part, one in value.items()):
        raise Unanswered()

    def part_of(part):
        if is_blank(value.get(part)):
            if part in needed:
                raise Fault(("", "required"))
            raise Unanswered()
        stored = text(value[part])
        if part == "postal_code":
            digits = re.sub(f"[{DASHES}]", "", folded := unicodedata.normalize("NFKC", stored), count=1)
            is_code = re.fullmatch("[0-9]{7}", digits) and (len(folded) == 7 or folded[3] in DASHES)
            stored = f"{digits[:3]}-{digits[3:]}" if is_code else stored
        is_wrong = part == "postal_code" and not is_code
        first(("invalid_format", is_wrong), ("too_long", len(stored) > (100 if is_name else 200)))
        return stored

    unknown = [(part, lambda: fault("", "unknown_field")) for part in value if part not in known]
    return dict(each_part(unknown + [(part, lambda part=part: part_of(part)) for part in known]))


def read_files(field, value, today, files):
    if not isinstance(value, list):
        raise Fault(("", "wrong_type"))

    def one_of(one):
        first(("wrong_type", not isinstance(one, str)))
        first(("unknown_file", files.get(one) != field["id"]))
        return one

    named = [one for _, one in each_part([(n, lambda one=one: one_of(one)) for n, one in enumerate(value)])]
    first(("invalid_format", len(set(named)) < len(named)), ("too_many", len(named) > field.get("max_files", 1)))
    return named


READ = {
    "short_text": read_text, "long_text": read_text, "email": read_email, "phone": read_phone, "url": read_url,
    "number": read_number, "date": read_day, "time": read_day, "datetime": read_day, "choice": read_choice,
    "dropdown": read_choice, "multi_choice": read_choices, "yes_no": read_boolean, "consent": read_boolean,
    "rating": read_mark, "nps": read_mark, "scale": read_mark, "matrix": read_matrix, "ranking": read_ranking,
    "name": read_parts, "address": read_parts, "file": read_files,
}


def folded(shown):
    return unicodedata.normalize("NFKC", shown).lower()


class Judging:
    def __init__(self, schema):
        self.schema = schema
        self.fields = {field["id"]: field for page in schema["pages"] for field in page["fields"]}

    def holds(self, condition, seen):
        if condition is None:
            return True
        if "all" in condition:
            return all(self.holds(each, seen) for each in condition["all"])
        if "any" in condition:
            return any(self.holds(each, seen) for each in condition["any"])
        if "not" in condition:
            return not self.holds(condition["not"], seen)
        name, _, row = condition["field"].partition(".")
        answer = seen.get(name)
        if row and answer is not None:
            answer = answer.get(row)
        op, value = condition["op"], condition.get("value")
        if answer is None:
            return op in ("not_answered", "not_equals", "none_of")
        if op in ("answered", "not_answered"):
            return op == "answered"
        chosen = answer if isinstance(answer, list) else [answer]
        if op in ("any_of", "none_of"):
            return any(one in value for one in chosen) == (op == "any_of")
        if op == "contains":
            return value in answer if isinstance(answer, list) else folded(value) in folded(answer)
        kind = self.fields.get(name, {"type": "hidden"})["type"]
        if kind in ("number", "rating", "nps", "scale"):
            answer, value = decimal(answer), decimal(value)
        elif kind in ("short_text", "long_text", "email", "phone", "url", "hidden"):
            value = text(value, kind in ("long_text", "hidden"))
        if op in ("equals", "not_equals"):
            return (answer == value) == (op == "equals")
        return {"gt": answer > value, "gte": answer >= value, "lt": answer < value, "lte": answer <= value}[op]

    def replay(self, given, seen):
        pages, path, visible, needed = self.schema["pages"], [], [], []
        names = [page["id"] for page in pages]
        at = 0
        while at is not None and at < len(pages):
            page = pages[at]
            at += 1
            if not self.holds(page.get("show_if"), seen):
                continue
            path.append(page["id"])
            for field in page["fields"]:
                if not self.holds(field.get("show_if"), seen):
                    continue
                visible.append(field["id"])
                if field.get("required") or ("required_if" in field and self.holds(field["required_if"], seen)):
                    needed.append(field["id"])
                if field["id"] in given:
                    seen[field["id"]] = given[field["id"]]
            for rule in page.get("next", []):
                if self.holds(rule.get("if"), seen):
                    if rule["to"].startswith("end:"):
                        return path, visible, needed, rule["to"][4:]
                    at = names.index(rule["to"])
                    break
        for ending in self.schema.get("endings", []):
            if self.holds(ending.get("if"), seen):
                return path, visible, needed, ending["id"]
        return path, visible, needed, None

    def judge(self, data, hidden, today, files):
        errors, given, faults, seen = [], {}, {}, {}
        for name, value in data.items():
            field = self.fields.get(name)
            if field is None or field["type"] == "statement":
                errors.append(f"/data/{name} unknown_field")
                continue
            try:
                if not is_blank(value):
                    given[name] = READ[field["type"]](field, value, today, files)
            except Unanswered:
                pass
            except Fault as found:
                faults[name] = found.faults
        for name, value in hidden.items():
            if name not in self.schema.get("hidden", []):
                errors.append(f"/hidden/{name} unknown_field")
            elif not is_blank(value):
                try:
                    stored = text(value, lines=True)
                    first(("too_long", len(stored) > 255))
                    seen[name] = stored
                except Fault as found:
                    errors += [f"/hidden/{name}{part} {code}" for part, code in found.faults]
        kept_hidden = dict(seen)
        path, visible, needed, ending = self.replay(given, seen)
        for name in visible:
            wrong = faults.get(name, [])
            errors += [f"/data/{name}{part} {code}" for part, code in wrong]
            field = self.fields[name]
            if name not in needed or field["type"] == "statement":
                continue
            if field["type"] == "matrix" and (name in given or (wrong and wrong[0][0] != "")):
                rows = ids(field["rows"])
                errors += [f"/data/{name}/{row} required" for row in rows if is_blank(data[name].get(row))]
            elif name not in given and not wrong:
                errors.append(f"/data/{name} required")
        scores = {}
        for score in self.schema.get("scores", []):
            added = [Decimal(str(add["value"])) for add in score["add"] if self.holds(add["if"], seen)]
            scores[score["name"]] = shortest(sum(added, Decimal(str(score["initial"]))))
        return {
            "data": {name: given[name] for name in visible if name in given},
            "hidden": kept_hidden,
            "errors": sorted(errors),
            "visible_fields": visible,
            "dropped_fields": [
                name for name in self.fields if (name in given or name in faults) and name not in visible
            ],
            "path": path,
            "ending_id": ending,
            "scores": scores,
        }


for line in sys.stdin:
    question = json.loads(line)
    judging = Judging(question["schema"])
    judged = [
        judging.judge(each["data"], each["hidden"], question["today"], question["files"])
        for each in question["submissions"]
    ]
    print(json.dumps(judged), flush=True)
