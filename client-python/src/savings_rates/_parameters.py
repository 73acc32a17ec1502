"""Conversion of parameters to URLs and request bodies."""

from __future__ import annotations

import datetime
import json
import re
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Mapping, Sequence, TypeAlias, cast
from urllib.parse import quote, urlencode

#: Amounts in pounds, and rates in percent.
Amount: TypeAlias = "int | float | Decimal"
#: Days, as date or ISO 8601.
Day: TypeAlias = "str | datetime.date"
#: Times, as a datetime with a time zone or ISO 8601.
Time: TypeAlias = "str | datetime.datetime"


class Unset(Enum):
    """Type of ``UNSET``."""

    UNSET = "unset"


#: Default of the optional fields of a request body: the field is not sent. None is sent as null.
UNSET: Final = Unset.UNSET


def to_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("A time needs a time zone, such as datetime.timezone.utc.")
        return value.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(to_text(one) for one in cast(Sequence[object], value))
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _path_part(name: str, value: object) -> str:
    text = "" if value is None else to_text(value)
    # "." and ".." would be resolved as path segments.
    if text in ("", ".", ".."):
        raise ValueError(f'"{name}" is missing or can\'t be used in a URL path.')
    return quote(text, safe="")


def fill_path(path: str, given: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: _path_part(match[1], given.get(match[1])), path)


def build_path(path: str, given: Mapping[str, Any]) -> str:
    """Fills in the path and appends the other parameters as the query, in the order of their declaration."""
    filled = fill_path(path, given)
    query = {name: to_text(value) for name, value in given.items() if value is not None and f"{{{name}}}" not in path}
    return f"{filled}?{urlencode(query)}" if query else filled


def build_body(path: str, given: Mapping[str, Any]) -> bytes:
    """Returns the JSON body of a call that changes something: what is given, without the parameters of the path."""
    return json.dumps({name: value for name, value in given.items() if value is not UNSET and f"{{{name}}}" not in path}).encode()
