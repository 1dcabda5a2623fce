"""The machine that benchmarks run on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.shared.floor import compile_command
from lawful import _core

__all__ = ["CORES", "describe_machine", "load"]

CORES = os.cpu_count() or 1

PACKAGES = ("lawful", "numpy", "pynini", "highspy", "ortools", "python-crfsuite")


def load() -> float:
    """The load of the machine: the mean number of runnable processes over the last minute, this one included."""
    return os.getloadavg()[0]


def describe_machine() -> dict[str, str]:
    """The processor, the kernels in use, the compiler of the floor, and the versions of all packages."""
    return {
        "processor": _processor(),
        "cores": str(CORES),
        "lawful's kernels": _core.kernel_name(),
        "system": f"{platform.system()} {platform.machine()}",
        "floor": f"`{' '.join(compile_command())}`, {_compiler()}",
        "Python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
    }


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    known = {key.strip(): value.strip() for key, value in fields.items()}
    if "model name" not in known:
        return platform.processor() or "unknown"
    return f"{known['model name']} (family {known.get('cpu family')}, model {known.get('model')})"


def _compiler() -> str:
    shown = subprocess.run([compile_command()[0], "--version"], capture_output=True, text=True, check=False)
    return shown.stdout.split("\n")[0]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
