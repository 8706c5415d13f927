from readme_outputs import README, refreshed


def test_every_output_in_the_readme_is_what_its_command_prints():
    text = README.read_text(encoding="utf-8")
    assert text.count("<!-- output:") == 10
    assert refreshed(text) == text


def test_the_python_example_runs_and_prints_what_its_comment_says(capsys):
    text = README.read_text(encoding="utf-8")
    example = text.split("## In Python")[1].split("```python\n")[1].split("```")[0]
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == "True"
    assert "PrivacyWitness" in printed[0]
