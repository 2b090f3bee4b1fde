"""What the tiles on a table can be, taken together: the hand is read, not the tile.

Two facts are certain: a game is played with its own tiles, and of each face there are four. A doubtful tile that
contradicts them becomes its next candidate that does not, and says so; a sure one is never changed, because a person
may have named the wrong game, and a wild table is not for a reader to mend."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from vision.classifier import Look
from vision.result import problem

DOUBTFUL = 0.85
"""Below it a person should look at a tile, and the tiles together may say what it is."""
CHANGED = 0.6
"""A tile that was changed is at most so sure."""
NO_FACES = ("back", "none")


def of_the_game(looks: list[Look], classes: tuple[str, ...], faces: Collection[str]) -> list[Look]:
    """Looks with the tiles that the game has not ruled out.

    A doubtful look loses them: what is left shares its probability. A sure one stays and is doubted for it."""
    outside = np.array([c not in faces and c not in NO_FACES for c in classes])
    if not outside.any():
        return looks
    decoded: list[Look] = []
    for look in looks:
        best = int(look.probabilities.argmax())
        if float(look.probabilities[best]) >= DOUBTFUL:
            if outside[best]:
                foreign = problem("doubt.foreign", "the chosen game has no {tile}", tile=classes[best])
                look = replace(look, doubt=foreign)
            decoded.append(look)
            continue
        left = np.where(outside, 0.0, look.probabilities)
        if float(left.sum()) < 1e-6:
            decoded.append(look)
            continue
        left /= float(left.sum())
        if outside[best]:
            sentence = "it looks like {tile}, which the chosen game has not"
            left *= min(1.0, CHANGED / float(left.max()))
            look = replace(look, doubt=problem("doubt.instead", sentence, tile=classes[best]))
        decoded.append(replace(look, probabilities=left))
    return decoded


def four_of_a_kind(looks: list[Look], classes: tuple[str, ...]) -> list[Look]:
    """No face lies on a table more than four times: where one was seen more often, the least sure of them become their
    next candidate, if they were doubtful anyway."""
    changed = list(looks)
    for _ in range(len(looks)):
        best = [int(k.probabilities.argmax()) for k in changed]
        crowded = [c for c in set(best) if classes[c] not in NO_FACES and best.count(c) > 4]
        if not crowded:
            break
        least = min(
            (i for i in range(len(changed)) if best[i] in crowded), key=lambda i: float(changed[i].probabilities.max())
        )
        if float(changed[least].probabilities.max()) >= DOUBTFUL:
            break
        without = changed[least].probabilities.copy()
        without[best[least]] = 0.0
        changed[least] = replace(
            changed[least],
            probabilities=without / max(float(without.sum()), 1e-9) * CHANGED,
            doubt=problem("doubt.fifth", "it looks like a fifth {tile}", tile=classes[best[least]]),
        )
    return changed
