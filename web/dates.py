"""Days, times and lengths as people write them, in the language of the request."""

from datetime import datetime

from web.language import t


def day(at: str) -> str:
    """The day where this computer stands."""
    local = datetime.fromisoformat(at).astimezone()
    key = "date.first" if local.day == 1 else "date.day"
    return t(key, {"day": local.day, "month": t(f"date.month.{local.month}"), "year": local.year})


def moment(at: str) -> str:
    local = datetime.fromisoformat(at).astimezone()
    return t("date.moment", {"day": day(at), "time": f"{local:%H:%M}"})


def length(minutes: int) -> str:
    """How long something took."""
    hours, rest = divmod(minutes, 60)
    if hours:
        return t("date.hours", {"hours": hours, "minutes": f"{rest:02}"})
    return t("date.minutes", {"minutes": rest})
