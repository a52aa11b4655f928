"""How any process, here or elsewhere, opens its own sandbox."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from grader.model.seams import Sandbox


class SandboxRecipe(msgspec.Struct, frozen=True, kw_only=True):
    """A factory's import path and its plain arguments: something that can be sent to a worker."""

    factory: str = "grader.sandbox.open:open_sandbox"
    options: dict[str, Any] = {}

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Sandbox:
        module, _, name = self.factory.partition(":")
        return cast("Sandbox", getattr(import_module(module), name)(packages=packages, **self.options))
