"""All checks of a clip, the same ones wherever a clip is judged."""

from __future__ import annotations

from engine.audio.clip import Clip
from engine.audio.doctor import basics, edges, noise, others, place
from engine.audio.doctor.finding import Finding
from engine.audio.doctor.hearing import Hearing
from engine.progress import Cancel


def examine_clip(clip: Clip, cancel: Cancel | None = None) -> tuple[Finding, ...]:
    """The verdicts on `clip`, but for its length (`length_finding`).

    Those on level, clipping, silence and noise always; the others only where there is something to say.
    """
    nothing = basics.digital_silence(clip)
    if nothing is not None:
        return (nothing,)
    cancel = cancel or Cancel()
    hearing = Hearing(clip)
    found: list[Finding | None] = [basics.level(hearing), basics.clipping(clip)]
    found += [others.speech(hearing) or basics.silence(hearing), noise.noise(hearing), basics.channels(clip)]
    checks = (noise.offset, noise.hum, place.band, edges.start, edges.end, others.voices)
    for check in checks:
        cancel.check()
        found.append(check(hearing))
    found.append(others.music(hearing) or place.room(hearing))  # under music nothing falls silent either
    return tuple(finding for finding in found if finding is not None)
