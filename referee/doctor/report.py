"""What a first owner can send: the findings and the bare facts behind them, no names."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from getpass import getuser
from pathlib import Path
from typing import Any

from referee import __version__
from referee.doctor.checks import Finding, cameras_of, kind
from referee.doctor.machine import Machine

PRIVATE = ("games", "mounts", "settings", "calibration", "cameras")
"""Facts that may hold names of people or of their folders; the findings tell enough of them."""
PATH = re.compile(r"(?<![\w.])~?/[^\s:;,'\"]+")
SYSTEM = ("/dev/", "/etc/", "/lib", "/proc/", "/sys/", "/usr/lib")
"""Where nobody's own names are."""
SHORTEST = 2
"""A name of fewer signs is in every word."""


def report(machine: Machine, findings: Iterable[Finding]) -> dict[str, Any]:
    """Plain values for JSON, without the names of the user, the computer and their folders."""
    facts = {name: value for name, value in asdict(machine).items() if name not in PRIVATE}
    facts["programs"] = sorted(machine.programs)
    facts["cameras"] = [asdict(camera) for camera in cameras_of(machine)]
    whole = {
        "referee": __version__,
        "findings": [record(finding) for finding in findings],
        "machine": facts,
    }
    sources = [each.source for each in machine.cameras if each.source != kind(each.source)]
    scrubbed: dict[str, Any] = scrub(whole, dict.fromkeys(sources, "SOURCE") | names())
    return scrubbed


def record(finding: Finding) -> dict[str, object]:
    """A finding as plain values for JSON."""
    return {
        "matter": finding.matter,
        "state": finding.state.value,
        "found": finding.found,
        "advice": finding.advice,
    }


def names() -> dict[str, str]:
    """What must not be told, and what stands for it; the longest first."""
    private = {str(Path.home()): "~", socket.gethostname(): "COMPUTER"}
    with suppress(OSError, KeyError):
        private[getuser()] = "USER"
    private |= {os.environ.get("SUDO_USER", ""): "USER"}
    kept = {name: word for name, word in private.items() if len(name) >= SHORTEST}
    return dict(sorted(kept.items(), key=lambda item: -len(item[0])))


def scrub(value: Any, private: Mapping[str, str]) -> Any:
    """The same without private names, and without addresses, which may hold passwords."""
    if isinstance(value, Mapping):
        return {name: scrub(each, private) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [scrub(each, private) for each in value]
    if not isinstance(value, str):
        return value
    text = _without(re.sub(r"\w+://\S+", "ADDRESS", value), private)
    return PATH.sub(lambda path: path[0] if path[0].startswith(SYSTEM) else "PATH", text)


def _without(text: str, private: Mapping[str, str]) -> str:
    for name, word in private.items():
        # `pi` is a usual name, but not every pi in a text is a person.
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", word, text)
    return text
