"""Reads playing cards in any picture by their corner indices: which card, how sure, and where its indices are.

A card shows its index in two or four of its corners, or in one if others cover the rest. What two indices say is taken
together if they lie as those of one card do and rather agree than not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from typing import Any

import cv2
import numpy as np

from vision.indices import CARDS, JOKER, SeenIndex, find_indices
from vision.markers import Floats, Image
from vision.pyramid import Pyramid

UNSURE = "unsure"
"""A card of which nobody can tell which it is."""

_MASK_PX = 8  # of the frame to one of a mask
_TOLD = 0.5  # probability below which it is not told which card it is
_SURELY_CARD = 0.9  # probability that it is one at all, below which nothing is told of a card that is unsure
_AGREED = 0.1  # probability that two indices say the same, from which on they may be of one card
_SLANTED_ALIKE = 0.55  # between the frames of two indices of one card
_ACROSS, _LEVEL = (1.5, 5.5), 0.5  # from one index to its neighbour: across, in heights, and down to across at most
_DOWN, _STEEPEST = (1.0, 7.0), 2.0  # from an index to the opposite one: down, and across to down
_TWIN_RARITY = 8.0  # how much rarer the second of two equal cards is than any other
_AS_LARGE, _LARGER = (
    0.3,
    0.15,
)  # logarithms: sizes of one pack's indices that perspective explains, how soon it fails to
_OTHER_PACK = 0.01  # how rare another size is, be it of a pack that lies there too or of a hand near the camera
_PEERS = 2  # surer cards that tell the size
_FELLOWSHIP = 0.6  # exponent by which the evidence of several indices of one card grows: they share light and blur


@dataclass(frozen=True)
class SeenCard:
    """A card, or `UNSURE`; the probability that this is right; and where its indices are.

    `centre_px` is the middle of its indices: the card's own where two opposite ones are seen, else a place where the
    card is seen for certain. `board` and `region` tell the place for cards that it lies on, if any.
    """

    card: str
    confidence: float
    centre_px: tuple[float, float]
    indices: tuple[SeenIndex, ...]
    board: str | None = None
    region: str | None = None


def read_cards(
    frame_bgr: Image, index_px: tuple[float, float] | None = None, within: Image | None = None
) -> tuple[SeenCard, ...]:
    """Every card of a picture that lies face up, the surest first.

    `index_px` is the smallest and the largest height that an index can have in it, where that is known: the search is
    then faster. `within`, a mask over the picture in any resolution, restricts it to where that is not 0.
    """
    return find_cards(Pyramid(frame_bgr), index_px, within)


def find_cards(
    frame: Pyramid, index_px: tuple[float, float] | None = None, within: Image | None = None
) -> tuple[SeenCard, ...]:
    """The same for a frame whose smaller pictures others need as well."""
    cards = [card for group in _groups(find_indices(frame, index_px, within)) for card in _settled(group)]
    return _sifted(cards)


def find_cards_in(frame: Pyramid, quad_px: Floats, index_px: tuple[float, float] | None = None) -> tuple[SeenCard, ...]:
    """Those with an index in a quadrilateral of the frame, such as a place for cards; nothing else is looked at."""
    height, width = frame.bgr.shape[:2]
    mask = np.zeros((ceil(height / _MASK_PX), ceil(width / _MASK_PX)), np.uint8)
    cv2.fillPoly(mask, [np.round(quad_px / _MASK_PX).astype(np.int32)], 1)
    return find_cards(frame, index_px, mask)


def cards_json(cards: Iterable[SeenCard]) -> list[dict[str, Any]]:
    """The contracted form of cards, from left to right."""
    return [
        {
            "card": card.card,
            "confidence": round(card.confidence, 4),
            "centre_px": [round(card.centre_px[0], 1), round(card.centre_px[1], 1)],
            "board": card.board,
            "region": card.region,
        }
        for card in sorted(cards, key=lambda card: card.centre_px)
    ]


def _groups(indices: list[SeenIndex]) -> list[list[SeenIndex]]:
    """Indices by the card that they are on, those joined first that agree best."""
    groups = {number: [index] for number, index in enumerate(indices)}
    home = {number: number for number in groups}
    pairs = [
        (_agreement(indices[one], indices[other]), one, other)
        for one, other in combinations(range(len(indices)), 2)
        if _of_one_card(indices[one], indices[other])
    ]
    for agreement, one, other in sorted(pairs, reverse=True):
        if agreement < _AGREED:
            break
        first, second = home[one], home[other]
        if first != second and all(_of_one_card(a, b) for a in groups[first] for b in groups[second]):
            groups[first] += groups.pop(second)
            home = {number: first if at == second else at for number, at in home.items()}
    return list(groups.values())


def _agreement(one: SeenIndex, other: SeenIndex) -> float:
    """The probability that both say the same."""
    return float(one.shares[1:] @ other.shares[1:])


def _of_one_card(one: SeenIndex, other: SeenIndex) -> bool:
    """Whether two indices lie as those of one card do: opposite ones head to head, those side by side alike."""
    relation = np.linalg.solve(one.frame, other.frame)
    way = 1 if np.trace(relation) > 0 else -1
    if np.abs(relation - way * np.eye(2)).max() > _SLANTED_ALIKE:
        return False
    away = np.subtract(other.centre_px, one.centre_px)
    across, down = (float(part) for part in np.linalg.solve((one.frame + way * other.frame) / 2, away))
    if way > 0:
        return abs(down) < _LEVEL * abs(across) and _ACROSS[0] < abs(across) < _ACROSS[1]
    return _DOWN[0] < down < _DOWN[1] and abs(across) < _STEEPEST * down


def _settled(group: list[SeenIndex]) -> Iterator[SeenCard]:
    """The card that a group of indices tells, if any."""
    shares = _together([index.shares for index in group])
    best = int(shares[1:].argmax())
    told = shares[1 + best] >= _TOLD
    if told or 1 - shares[0] >= _SURELY_CARD:
        x, y = np.mean([index.centre_px for index in group], axis=0).tolist()
        yield SeenCard(CARDS[best] if told else UNSURE, float(shares[1 + best]), (x, y), tuple(group))


def _sifted(cards: list[SeenCard]) -> tuple[SeenCard, ...]:
    """The surest first, and of those that surer ones make unlikely only what is seen all the better.

    A pack has each card once but for its jokers, and all its indices are of one size.
    """
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda card: -card.confidence):
        twin = card.card not in (UNSURE, JOKER) and any(card.card == other.card for other in kept)
        odds = card.confidence / max(1 - card.confidence, 1e-9) * _fits_in(card, kept) / (_TWIN_RARITY if twin else 1.0)
        sure = odds / (1 + odds)
        if sure >= _TOLD or (card.card == UNSURE and _fits_in(card, kept) >= _TOLD):
            kept.append(replace(card, confidence=sure))
    return tuple(sorted(kept, key=lambda card: -card.confidence))


def _fits_in(card: SeenCard, surer: list[SeenCard]) -> float:
    """How likely a card is whose indices are of this size, where half of the others may be of another pack."""
    others = sorted(abs(_size(card) - _size(other)) for other in surer if other.card != UNSURE)
    if len(others) < _PEERS:
        return 1.0
    beyond = max(others[(len(others) - 1) // 2] - _AS_LARGE, 0.0)
    return max(float(np.exp(-((beyond / _LARGER) ** 2) / 2)), _OTHER_PACK)


def _size(card: SeenCard) -> float:
    """The logarithm of how large its indices are: by area, which is the same however a card is turned on a table that
    is seen at a slant."""
    return float(np.mean([np.log(np.abs(np.linalg.det(index.frame))) for index in card.indices])) / 2


def _together(shares: list[Floats]) -> Floats:
    """What several indices of one card say: their evidence adds up, though less than that of strangers would."""
    evidence = np.log(np.array(shares).clip(1e-9)).mean(axis=0) * len(shares) ** _FELLOWSHIP
    raised = np.exp(evidence - evidence.max())
    return np.asarray(raised / raised.sum(), np.float64)
