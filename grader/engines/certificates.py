"""Makes the one file by which the machines of a cluster know each other, and talk in secret.

It holds a certificate that signs itself, its key, and dask's settings that ask every peer for just that certificate:
whoever has the file belongs to the cluster, and nobody else gets a word in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml
from distributed.security import Security

from grader.atomic_write import replacing
from grader.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

_ROLES = ("scheduler", "worker", "client")


def write_settings(path: Path) -> None:
    """Write dask's settings with a new certificate, for their owner alone; a file that is there is left alone."""
    if path.exists():
        raise UsageError(f"{path} is there already", hint="Machines that have it would no longer be let in.")
    try:
        made = Security.temporary()
    except ImportError as error:
        raise UsageError(
            "certificates need the package cryptography", hint="Install it: pip install 'maze-grader[dask]'"
        ) from error
    pair = {"cert": made.tls_ca_file, "key": made.tls_client_key}
    tls = {"ca-file": made.tls_ca_file, **dict.fromkeys(_ROLES, pair)}
    settings = {"distributed": {"comm": {"require-encryption": True, "tls": tls}}}
    with replacing(path, private=True) as file:
        file.write(yaml.dump(settings, Dumper=_Plain, sort_keys=False).encode())


class _Plain(yaml.SafeDumper):
    """Repeats what is the same, and keeps the lines of a certificate as lines."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - yaml's own signature
        return True


def _lines(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Plain.add_representer(str, _lines)
