"""The house editions of the games that tables are drawn of."""

from collections.abc import Callable, Mapping

from pi_app.games import profile_files
from pi_app.games.graffiti.edition.kit import kit_of as graffiti_kit
from pi_app.games.graffiti.edition.profile import HOUSE as GRAFFITI_HOUSE
from pi_app.games.graffiti.edition.profile import GraffitiEdition
from pi_app.games.spree.edition.kit import kit_of as spree_kit
from pi_app.games.spree.edition.profile import HOUSE as SPREE_HOUSE
from pi_app.games.spree.edition.profile import SpreeEdition
from pi_app.games.tag_city.edition.kit import kit_of
from pi_app.games.tag_city.edition.profile import HOUSE, resolve
from tests.profiles import load_profile
from vision.kit.kit import Kit

KITS: Mapping[str, Callable[[], Kit]] = {
    "tag_city": lambda: kit_of(resolve(load_profile(HOUSE))),
    "graffiti": lambda: graffiti_kit(profile_files.load_profile(GraffitiEdition(), GRAFFITI_HOUSE)),
    "spree": lambda: spree_kit(profile_files.load_profile(SpreeEdition(), SPREE_HOUSE)),
}
