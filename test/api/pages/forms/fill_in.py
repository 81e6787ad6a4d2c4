"""Fills in the form at an address as a browser without JavaScript does, and prints the status and title of each page it comes to."""

import io
import json
import sys

import mechanize

NEXT, BACK, SAVE = 0, 1, 2

browser = mechanize.Browser()
browser.set_handle_robots(False)
browser.set_handle_refresh(False)
seen = []


def look():
    page = browser.response()
    seen.append([page.code, browser.title()])
    if any(True for _ in browser.forms()):
        browser.select_form(nr=0)


def press(which):
    try:
        browser.submit(name="action", nr=which)
    except mechanize.HTTPError:
        pass
    look()


browser.open(sys.argv[1])
look()
press(NEXT)
browser["f-kind"] = ["repair"]
press(NEXT)
browser["f-model"] = "X-1"
press(NEXT)
press(BACK)
assert browser["f-model"] == "X-1", browser["f-model"]
press(NEXT)
browser["f-since"] = "2026-04-31"
browser.form.add_file(io.BytesIO(b"broken"), "text/plain", "fault.txt", name="f-papers")
press(NEXT)
browser["f-since"] = "2026-04-30"
press(NEXT)
browser["f-seats"] = "3"
press(SAVE)
browser.follow_link(url_regex="^/f/s/")
look()
assert browser["f-seats"] == "3", browser["f-seats"]
press(NEXT)
print(json.dumps(seen))
