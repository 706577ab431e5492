"""What the studio needs from a Linux system besides Python, and how that system's package manager names it.

Windows and macOS need nothing: the wheels of Qt and of PortAudio carry all there. On Linux each shared
library is tried by loading it, each program by looking for it: what counts is what works, not a package list.
Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONT_SUFFIXES = {".ttf", ".otf", ".ttc", ".pfb"}
ALSA_PLUGIN = "alsa-lib/libasound_module_pcm_pulse.so"
LIBRARY_FOLDERS = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib")


@dataclass(frozen=True)
class Need:
    """One thing the system must have: `kind` says how it is looked for, the rest who packages it."""

    kind: str  # "library" | "program" | "module" | "fonts" | "alsa-plugin"
    name: str
    apt: str
    dnf: str
    pacman: str

    def met(self) -> bool:
        """Whether this system has it, found out by using it where that is possible."""
        if self.kind == "library":
            return _loads(self.name)
        if self.kind == "program":
            return shutil.which(self.name) is not None
        if self.kind == "module":
            return importlib.util.find_spec(self.name) is not None
        if self.kind == "alsa-plugin":
            return _has_alsa_plugin()
        return _has_fonts()


def _library(name: str, apt: str, dnf: str, pacman: str) -> Need:
    return Need("library", name, apt, dnf, pacman)


VENV_NEEDS = (Need("module", "ensurepip", "python3-venv", "python3", "python"),)

# What Qt's libraries and its xcb and wayland plugins name as needed and do not bring along; and PortAudio.
RUN_NEEDS = (
    _library("libportaudio.so.2", "libportaudio2", "portaudio", "portaudio"),
    _library("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
    _library("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd"),
    _library("libX11.so.6", "libx11-6", "libX11", "libx11"),
    _library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11"),
    _library("libxcb.so.1", "libxcb1", "libxcb", "libxcb"),
    _library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    _library("libxcb-glx.so.0", "libxcb-glx0", "libxcb", "libxcb"),
    _library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    _library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image"),
    _library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    _library("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb"),
    _library("libxcb-render.so.0", "libxcb-render0", "libxcb", "libxcb"),
    _library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    _library("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb"),
    _library("libxcb-shm.so.0", "libxcb-shm0", "libxcb", "libxcb"),
    _library("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb"),
    _library("libxcb-util.so.1", "libxcb-util1", "xcb-util", "xcb-util"),
    _library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb"),
    _library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb"),
    _library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    _library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    _library("libwayland-client.so.0", "libwayland-client0", "libwayland-client", "wayland"),
    _library("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor", "wayland"),
    _library("libwayland-egl.so.1", "libwayland-egl1", "libwayland-egl", "wayland"),
    _library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus"),
    _library("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig"),
    _library("libfreetype.so.6", "libfreetype6", "freetype", "freetype2"),
    _library("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2"),
    _library("libgthread-2.0.so.0", "libglib2.0-0", "glib2", "glib2"),
    _library("libgssapi_krb5.so.2", "libgssapi-krb5-2", "krb5-libs", "krb5"),
    _library("libbrotlidec.so.1", "libbrotli1", "libbrotli", "brotli"),
    _library("libzstd.so.1", "libzstd1", "libzstd", "zstd"),
    _library("libz.so.1", "zlib1g", "zlib", "zlib"),
    _library("libstdc++.so.6", "libstdc++6", "libstdc++", "gcc-libs"),
    Need("fonts", "a font", "fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu"),
)

TEST_NEEDS = (
    Need("program", "Xvfb", "xvfb", "xorg-x11-server-Xvfb", "xorg-server-xvfb"),
    Need("program", "pulseaudio", "pulseaudio", "pulseaudio", "pulseaudio"),
    Need("program", "pactl", "pulseaudio-utils", "pulseaudio-utils", "libpulse"),
    Need("program", "parec", "pulseaudio-utils", "pulseaudio-utils", "libpulse"),
    Need("program", "paplay", "pulseaudio-utils", "pulseaudio-utils", "libpulse"),
    Need("alsa-plugin", "ALSA's pulse plugin", "libasound2-plugins", "alsa-plugins-pulseaudio", "alsa-plugins"),
)

# Without it nothing is missing, but the engine computes with torch's kernels, several times as slowly.
WISHES = (Need("program", "cc", "build-essential", "gcc", "base-devel"),)

INSTALL = {
    "apt": ("apt-get", "install", "-y", "--no-install-recommends"),
    "dnf": ("dnf", "install", "-y"),
    "pacman": ("pacman", "-S", "--needed", "--noconfirm"),
}


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _has_alsa_plugin() -> bool:
    for folder in map(Path, LIBRARY_FOLDERS):
        if (folder / ALSA_PLUGIN).exists() or any(folder.glob(f"*-linux-*/{ALSA_PLUGIN}")):
            return True
    return False


def _has_fonts() -> bool:
    for folder in (Path(name).expanduser() for name in FONT_FOLDERS):
        if folder.is_dir() and any(path.suffix.lower() in FONT_SUFFIXES for path in folder.rglob("*")):
            return True
    return False


def missing(needs: tuple[Need, ...], platform: str = sys.platform) -> list[Need]:
    """Those of `needs` that this system lacks; none on systems other than Linux."""
    return [need for need in needs if not need.met()] if platform.startswith("linux") else []


def package_manager() -> str | None:
    """The name of this system's package manager as `Need` spells it, or None where none is known."""
    programs = {"apt": "apt-get", "dnf": "dnf", "pacman": "pacman"}
    return next((name for name, program in programs.items() if shutil.which(program)), None)


def packages(needs: list[Need], manager: str) -> list[str]:
    """The packages of `manager` that bring `needs`, each once, sorted."""
    return sorted({str(getattr(need, manager)) for need in needs})


def line_to_type(needs: list[Need], manager: str | None) -> str:
    """The one line a person types to get `needs`, or a sentence naming them where no manager is known."""
    if manager is None:
        return "install with your system's package manager: " + ", ".join(need.name for need in needs)
    return "sudo " + shlex.join([*INSTALL[manager], *packages(needs, manager)])


def install(needs: list[Need]) -> bool:
    """Install `needs` with apt where this process is root; True when all of them are met afterwards."""
    if package_manager() != "apt" or os.geteuid() != 0:
        return False
    names = packages(needs, "apt")
    print("Installing system packages: " + " ".join(names), flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, check=False)
    subprocess.run([*INSTALL["apt"], "-qq", *names], env=environment, check=False, stdout=subprocess.DEVNULL)
    return not [need for need in needs if not need.met()]


def ensure(needs: tuple[Need, ...]) -> str | None:
    """Make sure of `needs`, installing what is missing where that is allowed.

    Returns None when all is there, otherwise what to tell the person: what is missing and the line to type.
    """
    lacking = missing(needs)
    if not lacking or install(lacking):
        return None
    lacking = missing(needs)
    names = ", ".join(need.name for need in lacking)
    line = line_to_type(lacking, package_manager())
    return f"This system lacks {names}.\nType this, then try again:\n\n    {line}\n"
