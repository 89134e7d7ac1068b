"""Prints the fields of Grafana dashboards that Grafana's own model does not know, or reads otherwise. Arguments: files."""

import json
import sys

from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard


def differences(written, read, path):
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            yield from differences(value, read.get(name), f"{path}.{name}")
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for i, (one, other) in enumerate(zip(written, read)):
            yield from differences(one, other, f"{path}[{i}]")
    elif written != read:
        yield f"{path}: {json.dumps(written)} is read as {json.dumps(read)}"


plugins.register_default_plugins()
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as opened:
        dashboard = json.load(opened)
    model = json.loads(json.dumps(Dashboard.from_json(dashboard), cls=JSONEncoder))
    for difference in differences(dashboard, model, ""):
        print(f"{file}{difference}")
