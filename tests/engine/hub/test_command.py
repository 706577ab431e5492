"""qvoice models, against the hub on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.hub.pace import Pace
from tests.engine.hub.conftest import BASE, Hub


def run(*arguments: object) -> int:
    return main(["models", *map(str, arguments)])


def test_a_model_is_fetched_checked_and_removed(hub: Hub, tmp_path: Path, capsys) -> None:
    where = ("--folder", tmp_path)
    assert run("fetch", "0.6b-base", "--source", "modelscope", *where) == 0
    folder = tmp_path / BASE.folder
    assert capsys.readouterr().out.strip() == str(folder)
    assert run("list", "--json", *where) == 0
    states = {row["name"]: row["state"] for row in json.loads(capsys.readouterr().out)["models"]}
    assert states["0.6b-base"] == "here"
    assert states["1.7b-base"] == "not here"
    assert run("verify", "0.6b-base", *where) == 0
    assert "is whole" in capsys.readouterr().out
    (folder / "merges.txt").write_text("broken")
    assert run("verify", folder) == 1
    assert "merges.txt" in capsys.readouterr().out
    assert run("fetch", "0.6b-base", "--source", "modelscope", *where) == 0
    assert run("verify", folder) == 0
    assert run("remove", "0.6b-base", *where) == 0
    assert list(tmp_path.iterdir()) == []


def test_where_a_model_lies_and_what_is_broken(hub: Hub, tmp_path: Path, capsys) -> None:
    root = tmp_path / "Ann's models é"
    assert run("path", "--folder", root) == 0
    assert capsys.readouterr().out.strip() == str(root)
    assert run("path", "0.6b-base", "--folder", root) == 1
    assert "is not here" in capsys.readouterr().err
    assert run("fetch", "0.6b-base", "--folder", root) == 0
    capsys.readouterr()
    assert run("path", BASE.repo, "--json", "--folder", root) == 0
    folder = Path(json.loads(capsys.readouterr().out)["folder"])
    assert folder == root / BASE.folder
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    assert run("list", "--json", "--folder", root) == 0
    row = json.loads(capsys.readouterr().out)["models"][0]
    assert (row["state"], row["folder"]) == ("broken", str(folder))
    assert "qvoice models fetch 0.6b-base" in row["problem"]
    assert run("fetch", "0.6b-base", "--folder", root) == 0
    assert run("list", "--folder", root) == 0
    assert "broken" not in capsys.readouterr().out


def test_what_is_not_here_is_said(tmp_path: Path, capsys) -> None:
    for act in ("verify", "remove"):
        assert run(act, "1.7b-base", "--folder", tmp_path) == 1
        assert "is not here" in capsys.readouterr().err
    assert run("fetch", "3b-base", "--folder", tmp_path) == 1
    assert "no released model" in capsys.readouterr().err


def test_the_list_needs_no_network(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("a network call"))
    assert main(["models"]) == 0
    said = capsys.readouterr().out
    assert "0.6b-custom-voice" in said
    assert "For this computer" in said or "too little" in said


def test_speed_and_time_left() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.seconds_left(0, 100) is None
    for second in range(20):
        now[0] = float(second)
        pace.add(10.0 * second)
    assert pace.bytes_per_second == pytest.approx(10.0)
    assert pace.seconds_left(190, 290) == pytest.approx(10.0)
    for second in range(20, 40):
        now[0] = float(second)
        pace.add(190.0)
    assert pace.bytes_per_second == 0.0
    assert pace.seconds_left(190, 290) is None
