"""The recipes of docs/operations/cluster.md say what their readers understand."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import dask_kubernetes.operator
import jsonschema
import yaml
from dask_jobqueue.slurm import SLURMJob
from distributed.cli.dask_scheduler import main as scheduler_command
from distributed.cli.dask_worker import main as worker_command

if TYPE_CHECKING:
    import pytest

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


def closed(schema: Any) -> Any:
    """Return a schema that allows no field which it doesn't name, as kubectl does."""
    if not isinstance(schema, dict):
        return [closed(part) for part in schema] if isinstance(schema, list) else schema
    parts = {name: closed(part) for name, part in schema.items()}
    return {"additionalProperties": False} | parts if isinstance(parts.get("properties"), dict) else parts


def test_the_operator_takes_its_recipe(capsys: pytest.CaptureFixture[str]) -> None:
    """The page's script writes what the resource's own schema allows; dask reads the words, all have the secret."""
    exec(block("import yaml\n    from dask_kubernetes"), {"__name__": "__main__"})
    made = yaml.safe_load(capsys.readouterr().out)
    assert made["spec"]["worker"]["replicas"] == 8
    (resource,) = Path(dask_kubernetes.operator.__file__).parent.rglob("crds/daskcluster.yaml")
    defined = yaml.safe_load(resource.read_text())["spec"]
    (version,) = defined["versions"]
    assert (made["apiVersion"], made["kind"]) == (f"{defined['group']}/{version['name']}", defined["names"]["kind"])
    jsonschema.validate(made["spec"], closed(version["schema"]["openAPIV3Schema"]["properties"]["spec"]))
    for command, program_of_dask in COMMANDS.items():
        pod = made["spec"][command]["spec"]
        (container,) = pod["containers"]
        program, *arguments = container["args"]
        words = arguments if program == f"dask-{command}" else arguments[1:]
        assert program_of_dask.make_context(command, words)
        (volume,), (mount,) = pod["volumes"], container["volumeMounts"]
        assert volume["name"] == mount["name"]
        assert f"create secret generic {volume['secret']['secretName']} " in PAGE
        told = {each["name"]: each["value"] for each in container["env"]}
        assert told["DASK_CONFIG"] == f"{mount['mountPath']}/cluster.yaml"
        assert told["DASK_SCHEDULER_ADDRESS"].startswith(f"tls://{made['metadata']['name']}-scheduler.")
    scheduler = made["spec"]["scheduler"]
    assert scheduler["spec"]["containers"][0]["args"][-2:] == ["--protocol", "tls"]
    assert told["DASK_SCHEDULER_ADDRESS"].endswith(f":{scheduler['service']['ports'][0]['port']}")
