"""What a brand's campaigns did on one day (yesterday, UTC, unless told), as CSV on the output: a line per campaign.

Run it with a key of the brand, each morning:

    PYTHONPATH=sdk/python API=https://ads.example.com KEY=... python3 examples/python/daily_report.py 2026-11-22 > yesterday.csv
"""

import csv
import os
import sys
from datetime import UTC, datetime, timedelta

from marquee import Marquee


def main() -> None:
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    day = sys.argv[1] if len(sys.argv) > 1 else yesterday
    marquee = Marquee(os.environ["API"], os.environ["KEY"], sdk="daily-report/1")
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(["campaign_id", "name", "day", "plays", "scans", "spend", "currency"])
    for campaign in marquee.list_campaigns(limit=100):
        totals = marquee.read_campaign_report(campaign["id"], from_=day, to=day)["totals"]
        spend = totals["spend"]
        figures = [totals["plays"], totals["scans"], spend["amount"], spend["currency"]]
        lines.writerow([campaign["id"], campaign["name"], day, *figures])


if __name__ == "__main__":
    main()
