"""The recipes of docs/operations/cluster.md say what their readers understand."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import yaml
from dask_jobqueue.slurm import SLURMJob
from distributed.cli.dask_scheduler import main as scheduler_command
from distributed.cli.dask_worker import main as worker_command

PAGE = (Path(__file__).parents[2] / "docs" / "operations" / "cluster.md").read_text()
COMMANDS = {"scheduler": scheduler_command, "worker": worker_command}


def block(first_words: str) -> str:
    """Return the indented block of the page that begins with these words."""
    lines = PAGE[PAGE.index(f"    {first_words}") :].splitlines()
    end = next(number for number, line in enumerate(lines) if line and not line.startswith("    "))
    return dedent("\n".join(lines[:end]))


def test_the_slurm_recipe_asks_for_one_thread_a_worker() -> None:
    """dask-jobqueue makes a job script of the very words of the page."""
    calls = (node for node in ast.walk(ast.parse(block("from dask_jobqueue"))) if isinstance(node, ast.Call))
    call = next(call for call in calls if getattr(call.func, "id", "") == "SLURMCluster")
    words: dict[str, Any] = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    script = SLURMJob(scheduler="tcp://login:8786", name="grader", **words).job_script()
    assert "#SBATCH -p short" in script
    assert f"#SBATCH --cpus-per-task={words['cores']}" in script
    assert "--nthreads 1 " in script
    assert f"--nworkers {words['processes']} " in script


def test_the_batch_job_is_a_script() -> None:
    """Bash reads it to its end."""
    subprocess.run(["bash", "-n"], input=block("#!/bin/bash"), text=True, check=True)


def test_the_pods_fit_each_other() -> None:
    """Selectors name their own pods, the workers call the service, all have the secret, and dask takes the words."""
    scheduler, service, worker = yaml.safe_load_all(block("apiVersion: apps/v1"))
    for deployment in (scheduler, worker):
        pod = deployment["spec"]["template"]
        assert deployment["spec"]["selector"]["matchLabels"] == pod["metadata"]["labels"]
        [container] = pod["spec"]["containers"]
        program, command, *arguments = container["args"]
        assert program == "dask"
        parsed = COMMANDS[command].make_context(f"dask {command}", list(arguments)).params
        assert str(parsed.get("port") or parsed.get("scheduler")).endswith(str(service["spec"]["ports"][0]["port"]))
        [volume], [mount] = pod["spec"]["volumes"], container["volumeMounts"]
        assert volume["name"] == mount["name"]
        assert container["env"] == [{"name": "DASK_CONFIG", "value": f"{mount['mountPath']}/cluster.yaml"}]
    assert service["spec"]["selector"] == scheduler["spec"]["template"]["metadata"]["labels"]
    assert f"tls://{service['metadata']['name']}:" in worker["spec"]["template"]["spec"]["containers"][0]["args"][2]
