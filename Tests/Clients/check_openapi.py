"""Checks a running `leap serve` with requests that schemathesis makes up from /openapi.json: none fails inside the server or
hangs, and every reply has a status and a type that the document knows, and its schema.

    check_openapi.py URL MODEL [EXAMPLES]      schemathesis' own report; 1 if anything failed
"""

import pathlib
import subprocess
import sys
import tempfile

url = sys.argv[1]
examples = sys.argv[3] if len(sys.argv) > 3 else "8"
program = pathlib.Path(sys.executable).parent / "schemathesis"
checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

# Refusals that are nobody's failure: what is not supported, and what there is no room for.
settings = pathlib.Path(tempfile.mkdtemp()) / "schemathesis.toml"
settings.write_text('[checks.not_a_server_error]\nexpected-statuses = ["2xx", "4xx", 501, 503]\n')

sys.exit(
    subprocess.run(
        [
            program, "--config-file", settings, "run", url + "/openapi.json", "--url", url, "--checks", checks,
            "--max-examples", examples, "--request-timeout", "60", "--phases", "examples,coverage,fuzzing",
            "--generation-deterministic",
        ],
        # It keeps a folder of its own where it runs.
        cwd=settings.parent,
    ).returncode
)
